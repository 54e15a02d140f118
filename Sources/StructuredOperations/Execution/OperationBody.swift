/// The work of an operation, brought to one shape whatever the form in which it was given.
enum OperationBody: Sendable {
  /// May block, so it runs on a thread of its own.
  case synchronous(@Sendable () throws -> OperationOutput)
  case asynchronous(@Sendable () async throws -> OperationOutput)
  case blocks(ExecutionBlocks)
  /// Runs in the task that waits for the operation to be chosen, which keeps the body to itself.
  case caller

  static func main<Output: Sendable>(_ main: @escaping @Sendable () throws -> Output) -> OperationBody {
    .synchronous { OperationOutput(try main()) }
  }

  static func start<Output: Sendable>(_ start: @escaping @Sendable () async throws -> Output) -> OperationBody {
    .asynchronous { OperationOutput(try await start()) }
  }

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

  /// What a body came to.
  ///
  /// Not a `Result`: that one's layout is looked up at run time wherever it is copied.
  enum Result: Sendable {
    case output(OperationOutput)
    case error(any Error)
  }

  /// Runs the body in the calling task.
  ///
  /// Inlined, since each asynchronous call costs a frame and a switch of executors.
  ///
  /// - Parameter executor: What the operation or the queue says; nil where neither says anything.
  @inline(__always)
  nonisolated(nonsending) func run(under executor: (any TaskExecutor)?) async -> Result {
    do {
      switch self {
      case .synchronous(let main): return .output(try OperationThreadPool.blocking(main))
      case .asynchronous(let start): return .output(try await start())
      case .blocks(let blocks): return .output(OperationOutput(try await blocks.run(under: executor)))
      case .caller: preconditionFailure("the body of a caller ran in another task")
      }
    } catch {
      return .error(error)
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

extension Optional<OperationBody> {
  /// Runs the body in the calling task and frees it.
  @inline(__always)
  nonisolated(nonsending) mutating func runOnce(under executor: (any TaskExecutor)?) async -> OperationBody.Result {
    guard let body = take() else { preconditionFailure("an operation lost its body") }
    return await body.run(under: executor)
  }
}
