import Testing
import TestSupport

@testable import StructuredOperations

@Suite("StateSequence", .hangGuard)
struct StateSequenceTests {
  @Test("Each reading of states starts with the snapshot of its moment")
  func moments() async throws {
    let blocker = Blocker()
    let early = blocker.operation.history()
    let queue = AsyncOperationQueue()
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    let late = blocker.operation.history()
    blocker.release.open()
    #expect(await early.value.map(short) == ["ready", "executing", "finished"])
    #expect(await late.value.map(short) == ["executing", "finished"])
  }

  @Test("Readers that share a sequence share its elements out among them")
  func sharedSequence() async throws {
    let operation = AsyncOperation {}
    let dependency = AsyncOperation {}
    let states = operation.states
    let readers = (0..<4).map { _ in
      Task {
        var count = 0
        for await _ in states { count += 1 }
        return count
      }
    }
    for _ in 0..<100 {
      try await operation.addDependency(dependency)
      await operation.removeDependency(dependency)
    }
    try await operation.start()
    var total = 0
    for reader in readers { total += await reader.value }
    #expect(total == 203)
  }

  @Test("Cancelling a reader ends its sequence, and touches neither the operation nor other readers")
  func cancelledReader() async throws {
    let operation = AsyncOperation {}
    let (cancelled, other) = (operation.history(), operation.history())
    cancelled.cancel()
    #expect(await cancelled.value.count <= 1)
    #expect(!operation.isCancelled)
    try await operation.start()
    #expect(await other.value.map(short) == ["ready", "executing", "finished"])
  }

  @Test("A sequence does not keep its operation, and ends when that goes away without having run")
  func lifetime() async {
    func make() -> (StateSequence<OperationSnapshot>, Weak) {
      let operation = AsyncOperation {}
      return (operation.states, Weak(operation))
    }
    let (states, operation) = make()
    #expect(operation.object == nil)
    var history: [String] = []
    for await snapshot in states { history.append(short(snapshot)) }
    #expect(history == ["ready"])
  }

  @Test("A reader that waits when its operation goes away is let go")
  func lifetimeWhileWaiting() async {
    func make() async -> (Task<Int, Never>, Weak) {
      let operation = AsyncOperation {}
      let (states, begun) = (operation.states, Gate())
      let reader = Task {
        var count = 0
        for await _ in states {
          count += 1
          begun.open()
        }
        return count
      }
      await begun.wait()
      return (reader, Weak(operation))
    }
    let (reader, operation) = await make()
    #expect(await reader.value == 1)
    #expect(operation.object == nil)
  }
}
