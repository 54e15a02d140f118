import Testing
import TestSupport

@testable import StructuredOperations

@Suite("Graphs of 100 000 operations", .hangGuard, .serialized)
struct GraphSizeTests {
  private static let count = 100_000

  /// How the operation ends that all others wait for.
  enum Ending: CaseIterable, Sendable { case success, failure, cancellation }

  private static func head(_ ending: Ending) -> AsyncOperation<Int> {
    let head = AsyncOperation<Int> {
      if ending == .failure { throw Failure(code: 7) }
      return 0
    }
    if ending == .cancellation { head.cancel() }
    return head
  }

  @Test("A chain that grows at its end is not searched whole because a body elsewhere waits for everything in a queue")
  func chainBesideWait() async throws {
    try await whileWaitingForAll {
      // Each but the first is awaited when it gets its dependency, which depends on nothing yet.
      let chain = (0..<Self.count).map { _ in AsyncOperation {} }
      for (operation, next) in zip(chain, chain.dropFirst()) { try await operation.addDependency(next) }
      #expect(chain[0].dependencies.count == 1)
    }
  }

  @Test(
    "A chain of them runs, fails or is cancelled from its head to its end, and is freed", arguments: Ending.allCases)
  func chain(ending: Ending) async throws {
    func run() async throws -> (Weak, Weak) {
      let head = Self.head(ending)
      var chain = [head]
      chain.reserveCapacity(Self.count)
      for number in 1..<Self.count {
        chain.append(AsyncOperation(after: chain[number - 1]) { $0 + 1 })
        if number.isMultiple(of: 10_000) { HangGuard.progress() }
      }
      let last = chain[Self.count - 1]
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 4)
      await queue.add(chain)
      for number in stride(from: 0, to: Self.count, by: 10_000) {
        await chain[number].waitUntilFinished()
        HangGuard.progress()
      }
      await queue.waitUntilAllOperationsAreFinished()
      switch ending {
      case .success: #expect(try await last.value == Self.count - 1)
      case .failure, .cancellation:
        #expect((last.outcome?.error as? OperationError)?.root?.operation === head)
      }
      return (Weak(head), Weak(last))
    }
    let (head, last) = try await run()
    #expect(await eventually { head.object == nil && last.object == nil })
  }

  @Test("So many dependents of one operation are released by its end, and freed", arguments: Ending.allCases)
  func dependents(ending: Ending) async throws {
    func run() async throws -> (Weak, Weak) {
      let head = Self.head(ending)
      let runs = Locked(0)
      var dependents: [any OperationProtocol] = []
      dependents.reserveCapacity(Self.count)
      for number in 1...Self.count {
        let dependent = AsyncOperation { runs.increment() }
        try await dependent.addDependency(head, requiring: number.isMultiple(of: 2) ? .success : .completion)
        dependents.append(dependent)
        if number.isMultiple(of: 10_000) { HangGuard.progress() }
      }
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 4)
      await queue.add(dependents)
      #expect(dependents.allSatisfy { $0.state == .pending } || ending == .cancellation)
      await AsyncOperationQueue().add(head)
      for number in stride(from: 0, to: Self.count, by: 10_000) {
        await dependents[number].waitUntilFinished()
        HangGuard.progress()
      }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(runs.current == (ending == .success ? Self.count : Self.count / 2))
      return (Weak(head), Weak(dependents[Self.count - 1]))
    }
    let (head, last) = try await run()
    #expect(await eventually { head.object == nil && last.object == nil })
  }

  @Test("So many dependents are cancelled at once, and one operation with so many dependencies runs")
  func manyDependencies() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 4)
    let last = AsyncOperation { 1 }
    var dependencies: [any OperationProtocol] = []
    for number in 0..<Self.count {
      let dependency = AsyncOperation {}
      try await last.addDependency(dependency)
      dependencies.append(dependency)
      if number.isMultiple(of: 10_000) { HangGuard.progress() }
    }
    await queue.suspend()
    await queue.add(last)
    await queue.add(dependencies)
    await queue.cancelAllOperations()
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(dependencies.allSatisfy { $0.isFinished && $0.isCancelled })
    #expect(last.outcome?.isCancelled == true)
  }

  @Test("A stalled chain of them is told in one pass")
  func stalledChain() async throws {
    let head = AsyncOperation<Int>(name: "head") { 0 }
    var chain: [AsyncOperation<Int>] = [head]
    for number in 1..<Self.count {
      chain.append(AsyncOperation(after: chain[number - 1], name: "\(number)") { $0 + 1 })
    }
    let queue = AsyncOperationQueue()
    await queue.add(Array(chain.dropFirst()))
    let stalled = await queue.stalled
    #expect(stalled.count == Self.count - 1)
    let idle = "\"head\", which is in no queue and has not been started"
    #expect(stalled.first?.reason == "waits for \(idle)")
    #expect(stalled.last?.reason == "waits for \"99998\", which waits, through 99997 more, for \(idle)")
    await queue.add(head)
    await queue.waitUntilAllOperationsAreFinished()
  }
}
