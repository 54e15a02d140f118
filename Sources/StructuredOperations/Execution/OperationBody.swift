/// The work of an operation, brought to one shape whatever the form in which it was given.
enum OperationBody: Sendable {
  typealias Synchronous = @Sendable () throws -> any Sendable
  typealias Asynchronous = @Sendable () async throws -> any Sendable

  /// May block, so it runs on a thread of its own.
  case synchronous(Synchronous)
  case asynchronous(Asynchronous)
  case blocks(ExecutionBlocks)
  /// Runs in the task that waits for the operation to be chosen, which keeps the body to itself.
  case caller

  var isOfCaller: Bool {
    if case .caller = self { true } else { false }
  }

  /// Whether the body may block the thread that it runs on.
  var isBlocking: Bool {
    switch self {
    case .synchronous: true
    case .asynchronous, .blocks, .caller: false
    }
  }

  /// Where a body runs unless the operation or the queue says otherwise; nil is the cooperative pool.
  static func defaultExecutor(isBlocking: Bool) -> (any TaskExecutor)? {
    isBlocking ? OperationThreadPool.sharedExecutor : nil
  }

  /// Runs the body in the calling task.
  ///
  /// - Parameter executor: What the operation or the queue says; nil where neither says anything.
  nonisolated(nonsending) func run(under executor: (any TaskExecutor)?) async throws -> any Sendable {
    switch self {
    case .synchronous(let main): return try OperationThreadPool.blocking(main)
    case .asynchronous(let start): return try await start()
    case .blocks(let blocks): return try await blocks.run(under: executor)
    case .caller: preconditionFailure("the body of a caller ran in another task")
    }
  }

  /// The body will never run.
  func discard() {
    switch self {
    case .synchronous, .asynchronous, .caller: break
    case .blocks(let blocks): blocks.discard()
    }
  }
}
