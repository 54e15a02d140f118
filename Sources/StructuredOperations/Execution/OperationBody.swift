/// The work of an operation, brought to one shape whatever the form in which it was given.
enum OperationBody: Sendable {
  typealias Synchronous = @Sendable () throws -> any Sendable
  typealias Asynchronous = @Sendable () async throws -> any Sendable

  /// May block, so it runs on a thread of its own.
  case synchronous(Synchronous)
  case asynchronous(Asynchronous)
  case blocks(ExecutionBlocks)

  /// Where the body runs unless the operation or the queue says otherwise; nil is the cooperative pool.
  var defaultExecutor: (any TaskExecutor)? {
    switch self {
    case .synchronous: OperationThreadPool.sharedExecutor
    case .asynchronous, .blocks: nil
    }
  }

  /// Runs the body in the calling task.
  ///
  /// - Parameter executor: What the operation or the queue says; nil where neither says anything.
  func run(under executor: (any TaskExecutor)?) async throws -> any Sendable {
    switch self {
    case .synchronous(let main): return try OperationThreadPool.blocking(main)
    case .asynchronous(let start): return try await start()
    case .blocks(let blocks): return try await blocks.run(under: executor)
    }
  }

  /// The body will never run.
  func discard() {
    switch self {
    case .synchronous, .asynchronous: break
    case .blocks(let blocks): blocks.discard()
    }
  }
}
