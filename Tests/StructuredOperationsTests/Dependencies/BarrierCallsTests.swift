import Testing

@testable import StructuredOperations

@Suite("BarrierCalls")
struct BarrierCallsTests {
  private let operations = (0..<5).map { AsyncOperation(name: "\($0)") {} }

  private var storages: [OperationStorage] { operations.map(\.storage) }

  @Test("A barrier leads to what is ahead of it, and that to the barriers behind it, in the order of the calls")
  func listing() {
    var calls = BarrierCalls()
    #expect(calls.isEmpty && calls.ahead(of: storages[0]) == [])
    calls.insert(storages[0], after: [storages[2], storages[3]])
    calls.insert(storages[1], after: [storages[3]])

    #expect(!calls.isEmpty)
    #expect(calls.ahead(of: storages[0]) == [storages[2], storages[3]])
    #expect(calls.barriers(behind: storages[3]) == [storages[0], storages[1]])
    #expect(calls.barriers(behind: storages[4]) == [])
  }

  @Test(
    "A barrier that was cancelled, or lacks what it requires, leads nowhere: nobody waits for it any more",
    arguments: [false, true])
  func skipped(isCancelled: Bool) async throws {
    var calls = BarrierCalls()
    calls.insert(storages[0], after: [storages[2]])
    #expect(calls.awaited(by: storages[0]) == [storages[2]] && calls.waiting(for: storages[2]) == [storages[0]])
    if isCancelled {
      operations[0].cancel()
    } else {
      operations[4].cancel()
      try await operations[4].start()
      try await operations[0].addDependency(operations[4], requiring: .success)
    }
    #expect(calls.awaited(by: storages[0]) == [] && calls.waiting(for: storages[2]) == [])
    #expect(calls.ahead(of: storages[0]) == [storages[2]], "the numbers of edges stay during a search")
  }

  @Test("What falls behind a barrier is ahead of it no longer, and is handed over")
  func falling() {
    var calls = BarrierCalls()
    calls.insert(storages[0], after: [storages[2], storages[3]])
    calls.insert(storages[1], after: [storages[2]])
    let removed = calls.fell([storages[2], storages[4]]) { barrier, _ in barrier === storages[1] }
    #expect(removed == [storages[2]])
    #expect(calls.ahead(of: storages[0]) == [storages[3]] && calls.ahead(of: storages[1]) == [storages[2]])
    #expect(calls.barriers(behind: storages[2]) == [storages[1]])
  }

  @Test("What is removed is handed over, to be freed by the caller; removing it again has no effect")
  func removing() {
    var calls = BarrierCalls()
    calls.insert(storages[0], after: [storages[2]])
    #expect(calls.remove(storages[1]) == [])
    #expect(calls.remove(storages[0]) == [storages[2]])
    #expect(calls.remove(storages[0]) == [])
    #expect(calls.isEmpty)
  }
}
