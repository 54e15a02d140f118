/// The work of an operation, independent of the initialiser that it was passed to.
enum OperationBody: Sendable {
  /// May block, so it runs on a thread of the pool.
  case synchronous(@Sendable () throws -> OperationOutput)
  case asynchronous(@Sendable () async throws -> OperationOutput)
  /// As those with an output, but without the closure around them that erases its type: most bodies have none.
  case synchronousWithoutOutput(Main<Void>)
  case asynchronousWithoutOutput(Start<Void>)
  case blocks(ExecutionBlocks)
  /// Runs in the task that called `run` on a queue. That task keeps the closure itself.
  case caller

  static func main<Output: Sendable>(_ main: @escaping @Sendable () throws -> Output) -> OperationBody {
    if let main = Main(run: main).withoutOutput { return .synchronousWithoutOutput(main) }
    return .synchronous { OperationOutput(try main()) }
  }

  static func start<Output: Sendable>(_ start: @escaping @Sendable () async throws -> Output) -> OperationBody {
    if let start = Start(run: start).withoutOutput { return .asynchronousWithoutOutput(start) }
    return .asynchronous { OperationOutput(try await start()) }
  }

  /// A synchronous closure.
  ///
  /// A struct, since `Main<Void>` is one type everywhere. A bare closure is called in another way where generic code sees its
  /// output as a type parameter.
  struct Main<Output: Sendable>: Sendable {
    let run: @Sendable () throws -> Output

    /// The same value; nil where the closure has an output.
    ///
    /// The cast is from a type to itself, which the compiler cannot see. `as?` would look the type up at run time.
    var withoutOutput: Main<Void>? { Output.self == Void.self ? unsafeBitCast(self, to: Main<Void>.self) : nil }
  }

  /// An asynchronous closure; see ``Main``.
  struct Start<Output: Sendable>: Sendable {
    let run: @Sendable () async throws -> Output

    /// The same value; nil where the closure has an output.
    ///
    /// The cast is from a type to itself, as in ``Main/withoutOutput``.
    var withoutOutput: Start<Void>? { Output.self == Void.self ? unsafeBitCast(self, to: Start<Void>.self) : nil }
  }

  var runsInCaller: Bool {
    if case .caller = self { true } else { false }
  }

  var isBlocking: Bool {
    switch self {
    case .synchronous, .synchronousWithoutOutput: true
    case .asynchronous, .asynchronousWithoutOutput, .blocks, .caller: false
    }
  }

  /// The executor of a body if neither its operation nor its queue has one; nil is the cooperative pool.
  static func defaultExecutor(isBlocking: Bool) -> (any TaskExecutor)? {
    isBlocking ? OperationThreadPool.sharedExecutor : nil
  }

  /// The same for a body that a child of the calling task runs, which inherits where that task runs; nil is just there.
  ///
  /// Where it is nil, the child task has to be made without a preference. With an optional one that is nil, Swift 6.3 has it
  /// inherit nothing in release builds, and in any build if the task has a name; and it is looked up at every switch.
  ///
  /// What a body of the main queue starts is not the main queue's: the main actor would run all of it.
  static func childExecutor(isBlocking: Bool) -> (any TaskExecutor)? {
    !isBlocking && MainActorExecutor.isInherited ? globalConcurrentExecutor : defaultExecutor(isBlocking: isBlocking)
  }

  /// How a body ended.
  ///
  /// Not a `Swift.Result`, whose layout is looked up at run time each time it is copied.
  enum Result: Sendable {
    case output(OperationOutput)
    case error(any Error)
  }

  /// Runs the body in the calling task.
  ///
  /// Inlined, because each asynchronous call costs a frame and an executor switch.
  ///
  /// - Parameter executor: That of the operation or else of the queue; nil if neither has one.
  @inline(__always)
  nonisolated(nonsending) func run(under executor: (any TaskExecutor)?) async -> Result {
    do {
      switch self {
      case .synchronous(let main): return .output(try OperationThreadPool.blocking(main))
      case .asynchronous(let start): return .output(try await start())
      case .synchronousWithoutOutput(let main):
        return .output(OperationOutput(try OperationThreadPool.blocking(main.run)))
      case .asynchronousWithoutOutput(let start): return .output(OperationOutput(try await start.run()))
      case .blocks(let blocks): return .output(OperationOutput(try await blocks.run(under: executor)))
      case .caller: preconditionFailure("the body of a caller of run() was started in another task")
      }
    } catch {
      return .error(error)
    }
  }

  /// Frees a body that will never run.
  func discard() {
    switch self {
    case .synchronous, .synchronousWithoutOutput, .asynchronous, .asynchronousWithoutOutput, .caller: break
    case .blocks(let blocks): blocks.discard()
    }
  }
}

extension Optional<OperationBody> {
  /// Takes the body out, runs it in the calling task, and frees it.
  @inline(__always)
  nonisolated(nonsending) mutating func runOnce(under executor: (any TaskExecutor)?) async -> OperationBody.Result {
    guard let body = take() else { preconditionFailure("the operation's body has already been taken") }
    return await body.run(under: executor)
  }
}
