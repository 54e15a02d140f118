import TestSupport
import Testing

@testable import StructuredOperations

/// Everything by which an operation may hold other operations, in chains that a recursive release would overflow on.
@Suite("What operations own", .hangGuard, .serialized)
struct OwnershipTests {
  private static let count = 100_000

  /// How one operation holds the one before it.
  enum Owner: CaseIterable, Sendable {
    case body, dependency, completionBlock, executor, observer
  }

  private static func link(_ previous: AsyncOperation<Void>, by owner: Owner) async throws -> AsyncOperation<Void> {
    switch owner {
    case .body: return AsyncOperation { _ = previous.name }
    case .dependency:
      let operation = AsyncOperation {}
      try await operation.addDependency(previous)
      return operation
    case .completionBlock:
      let operation = AsyncOperation {}
      await operation.setCompletionBlock { _ = previous.name }
      return operation
    case .executor: return AsyncOperation(executor: HoldingExecutor(previous)) {}
    case .observer: return AsyncOperation(observer: HoldingObserver(operation: previous)) {}
    }
  }

  private static func chain(
    by owner: Owner,
    _ finish: (AsyncOperation<Void>) async throws -> Void
  ) async throws -> Weak {
    let first = AsyncOperation {}
    var last = first
    for number in 1..<count {
      last = try await link(last, by: owner)
      if number.isMultiple(of: 10_000) { HangGuard.progress() }
    }
    try await finish(last)
    return Weak(first)
  }

  @Test(
    "A chain of 100 000 that never ran is freed without recursion, however each holds the next",
    arguments: Owner.allCases)
  func unrun(owner: Owner) async throws {
    let first = try await Self.chain(by: owner) { _ in }
    #expect(await eventually { first.object == nil })
  }

  @Test("So it is where the last one is cancelled and finishes in a queue", arguments: Owner.allCases)
  func cancelled(owner: Owner) async throws {
    let first = try await Self.chain(by: owner) { last in
      last.cancel()
      let queue = AsyncOperationQueue()
      await queue.add(last)
      await last.waitUntilFinished()
    }
    #expect(await eventually { first.object == nil })
  }

  /// What each operation ends with.
  enum Ending: CaseIterable, Sendable { case output, nestedOutput, error }

  private struct Naming: Error { let operation: any OperationProtocol }

  @Test("A chain of 100 000 outcomes is freed without recursion, whether outputs or errors", arguments: Ending.allCases)
  func outcomes(ending: Ending) async throws {
    func make() async throws -> Weak {
      let first = AsyncOperation<any OperationProtocol> { throw Failure() }
      var last = first
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      for number in 1..<Self.count {
        let previous = last
        last = AsyncOperation {
          if ending == .error { throw Naming(operation: previous) }
          return previous
        }
        await queue.add(last)
        if number.isMultiple(of: 10_000) {
          await last.waitUntilFinished()
          HangGuard.progress()
        }
      }
      await last.waitUntilFinished()
      if ending == .nestedOutput {
        let outer = AsyncOperation { [last] in [last] as [any OperationProtocol] }
        try await outer.start()
      }
      return Weak(first)
    }
    let first = try await make()
    #expect(await eventually { first.object == nil })
  }

  @Test("A chain of 100 000 outputs that others have read is freed without recursion")
  func readOutputs() async throws {
    func make() async throws -> Weak {
      let first = AsyncOperation<any OperationProtocol> { AsyncOperation {} }
      var last = first
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      await queue.add(first)
      for number in 1..<Self.count {
        let previous = last
        last = AsyncOperation(after: previous) { _ in previous }
        await queue.add(last)
        if number.isMultiple(of: 10_000) {
          await last.waitUntilFinished()
          HangGuard.progress()
        }
      }
      await last.waitUntilFinished()
      return Weak(first)
    }
    let first = try await make()
    #expect(await eventually { first.object == nil })
  }

  private final class Output: Sendable {}

  @Test("An output that nobody holds is freed once what depends on its operation has ended, before a turn of the queue")
  func outputsOfPipeline() async throws {
    let outputs = Locked<[Weak]>([])
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
    func pipelines() -> [any OperationProtocol] {
      (0..<40).flatMap { _ -> [any OperationProtocol] in
        let source = AsyncOperation { () async in
          let output = Output()
          outputs.withLock { $0.append(Weak(output)) }
          return output
        }
        return [source, AsyncOperation(after: source) { (_: Output) async in }]
      }
    }
    await queue.add(pipelines())
    let last = AsyncOperation { () async in outputs.withLock { $0.map { $0.object != nil } } }
    await queue.add(last)
    await queue.resume()
    #expect(try await last.value == Array(repeating: false, count: 40))
  }

  // MARK: Errors that name operations

  @Test("An operation whose error names itself is freed", arguments: [false, true])
  func errorNamingItself(isNested: Bool) async throws {
    func make() async throws -> (Weak, Weak) {
      let other = AsyncOperation(name: "other") {}
      let link = Locked<AsyncOperation<Void>?>(nil)
      let operation = AsyncOperation<Void>(name: "operation") {
        guard let operation = link.current else { return }
        try await other.addDependency(operation)
        let error = OperationError.dependencyCycle([other, operation])
        throw isNested ? OperationError.dependencyFailed(on: operation, underlying: error) : error
      }
      link.withLock { $0 = operation }
      await AsyncOperationQueue().add(operation)
      await operation.waitUntilFinished()
      link.withLock { $0 = nil }

      let error = try #require(operation.outcome?.error as? OperationError)
      let cycle = isNested ? error.root?.underlying as? OperationError : error
      #expect(cycle == .dependencyCycle([other, operation]))
      if isNested { #expect(error.root?.operation === operation) }
      return (Weak(operation), Weak(other))
    }
    let (operation, other) = try await make()
    #expect(await eventually { operation.object == nil && other.object == nil })
  }

  @Test("So is that of a call whose closure rethrows such an error", arguments: [false, true])
  func callErrorNamesItself(isBarrier: Bool) async throws {
    let freed = Locked(Weak?.none)
    func call() async {
      let queue = AsyncOperationQueue()
      let closure: @Sendable () async throws -> Void = {
        let itself = try #require(AsyncOperation.current)
        freed.withLock { $0 = Weak(itself) }
        throw OperationError.dependencyCycle([itself])
      }
      await #expect(throws: OperationError.self) {
        if isBarrier { try await queue.runBarrier(closure) } else { try await queue.run(closure) }
      }
    }
    await call()
    #expect(await eventually { freed.withLock { $0?.object == nil } })
  }

  @Test("So is one that did not run, where the error of what it required names it", arguments: [false, true])
  func failureNamingDependent(isStarted: Bool) async throws {
    func make() async throws -> Weak {
      let link = Locked<AsyncOperation<Void>?>(nil)
      let required = AsyncOperation<Void>(name: "required") {
        guard let operation = link.current else { return }
        throw OperationError.dependencyFailed(on: operation, underlying: Failure())
      }
      let operation = AsyncOperation<Void>(name: "operation") {}
      let next = AsyncOperation<Void>(name: "next") {}
      link.withLock { $0 = operation }
      try await operation.addDependency(required, requiring: .success)
      try await next.addDependency(operation, requiring: .success)
      for skipped in [required, operation, next] {
        if isStarted { try await skipped.start() } else { await AsyncOperationQueue().add(skipped) }
        await skipped.waitUntilFinished()
      }
      link.withLock { $0 = nil }

      for skipped in [operation, next] {
        let error = try #require(skipped.outcome?.error as? OperationError)
        #expect(error.root?.operation === operation)
        #expect(error.root?.underlying is Failure)
      }
      return Weak(operation)
    }
    let operation = try await make()
    #expect(await eventually { operation.object == nil })
  }

  @Test("So is one that did not run, where the error of what it required names one that depends on it")
  func failureNamingOther() async throws {
    func make() async throws -> Weak {
      let (operation, named, next) = (AsyncOperation {}, AsyncOperation(name: "named") {}, AsyncOperation {})
      let required = AsyncOperation { [weak named] in
        guard let named else { return }
        throw OperationError.dependencyCycle([named])
      }
      try await operation.addDependency(required, requiring: .success)
      try await named.addDependency(operation)
      try await next.addDependency(operation, requiring: .success)
      for started in [required, operation, next] { try await started.start() }

      for skipped in [operation, next] {
        let error = try #require(skipped.outcome?.error as? OperationError)
        #expect(error.root?.operation === required)
        #expect(error.root?.underlying as? OperationError == .dependencyCycle([named]))
      }
      return Weak(operation)
    }
    let operation = try await make()
    #expect(await eventually { operation.object == nil })
  }

  @Test("The error of one that did not run holds the operation that failed")
  func failureHoldsRoot() async throws {
    let operation = AsyncOperation {}
    func fail() async throws -> Weak {
      let required = AsyncOperation<Void>(name: "required") { throw Failure() }
      try await operation.addDependency(required, requiring: .success)
      try await required.start()
      return Weak(required)
    }
    let required = try await fail()
    try await operation.start()

    let error = try #require(operation.outcome?.error as? OperationError)
    let root = try #require(error.root?.operation)
    #expect(root === required.object && root.isFinished)
  }

  @Test("A path names an operation that has been freed since")
  func errorNamingFreed() async throws {
    let operation = AsyncOperation<Void> {
      throw OperationError.dependencyCycle([AsyncOperation(name: "a") {}, AsyncOperation(name: "b") {}])
    }
    try await operation.start()

    #expect("\(try #require(operation.outcome?.error))".contains("\"a\" -> \"b\" -> \"a\""))
  }

  /// An executor that holds an operation, and runs jobs on the cooperative pool.
  private struct HoldingObserver: OperationObserver {
    let operation: AsyncOperation<Void>

    func observe(_ event: OperationEvent) {}
  }

  private final class HoldingExecutor: TaskExecutor {
    private let held: any OperationProtocol

    init(_ held: any OperationProtocol) {
      self.held = held
    }

    func enqueue(_ job: consuming ExecutorJob) {
      globalConcurrentExecutor.enqueue(UnownedJob(job))
    }
  }
}
