/// A closure that its caller gives to a child task, or to what runs it under another executor.
///
/// It runs on the caller's actor, while the caller waits.
///
/// The closure may use what is not `Sendable`: variables of its caller, the state of its actor. Unchecked, because the
/// compiler cannot see that only one task at a time does so. The proof, for a caller that keeps to what is said below:
///
/// - The closure is used by one task alone: the caller's own, or a child task. The caller awaits its end, and that of the child
///   task from its start, and touches neither the closure nor what that captures meanwhile. The wait orders what the one does
///   before what the other does.
/// - Where the caller is on an actor, the closure runs on the same actor. So other tasks that use the actor's state take turns
///   with it, as with any asynchronous function of the actor.
/// - The result is written by the task that runs the closure, and read by the caller after the wait.
final class BorrowedClosure: @unchecked Sendable {
  private let body: nonisolated(nonsending) () async -> Void
  /// That of the caller; nil if it is on none.
  private let actor: (any Actor)?
  /// Used by the task that runs the closure, alone, after the switch to the actor.
  private var hasBegun = false

  private init(_ body: nonisolated(nonsending) @escaping () async -> Void, on actor: (any Actor)?) {
    self.body = body
    self.actor = actor
  }

  /// Lends a closure to another function, which has to run it before it returns or throws, or to wait for the child task that
  /// does.
  ///
  /// The function and the closure run on `isolation`. It is handed on by the object: `#isolation` in the initializer of an
  /// `async let` is nil, not the caller's.
  ///
  /// Inlined, since each asynchronous call allocates memory of the task.
  ///
  /// - Returns: The result of the closure, once the function has returned.
  @inline(__always)
  static func lend<Output>(
    _ body: nonisolated(nonsending) () async throws -> Output,
    isolation: isolated (any Actor)?,
    to function: nonisolated(nonsending) (BorrowedClosure) async throws -> Void
  ) async throws -> Output {
    // An optional would do, but its metadata would be looked up in each call.
    let output = UnsafeMutablePointer<Output>.allocate(capacity: 1)
    defer { output.deallocate() }
    var end = End.none
    do {
      // Not a variable, which would allocate a context, and a box for what it captures.
      try await lend(isolation: isolation, to: function) {
        do {
          output.initialize(to: try await body())
          end = .output
        } catch {
          end = .failure(error)
        }
      }
    } catch {
      if case .output = end { output.deinitialize(count: 1) }
      throw error
    }
    switch end {
    case .none: preconditionFailure("a borrowed closure was not run")
    case .output: return output.move()
    case .failure(let error): throw error
    }
  }

  private enum End {
    case none
    case output
    case failure(any Error)
  }

  @inline(__always)
  private static func lend(
    isolation: isolated (any Actor)?,
    to function: nonisolated(nonsending) (BorrowedClosure) async throws -> Void,
    _ body: nonisolated(nonsending) () async -> Void
  ) async throws {
    try await withoutActuallyEscaping(body) { body in
      // Captures the actor, so that it runs there, too.
      try await function(BorrowedClosure(body, on: isolation))
    }
  }

  /// Runs the closure: once, on the actor of the caller.
  func run() async { await run(on: actor) }

  /// Runs the closure, once, on the actor of the caller, in a task that prefers an executor meanwhile.
  ///
  /// That executor runs the caller's actor, too, if the actor has none of its own. So the task is on no actor when it begins to prefer
  /// the executor, and switches to that before it goes on to the actor: or else the first step of the closure would run where the
  /// actor is. It is on the executor, and on no actor, when it ceases to prefer that: or else the actor would go on there, be it the
  /// main thread, as would what the caller returns to.
  func run(preferring executor: any TaskExecutor) async {
    await withTaskExecutorPreference(executor) { await run() }
  }

  /// Uses the object's state after the switch to the actor, and before the closure.
  ///
  /// Swift 6.3 removes a switch that nothing follows but the call of a function that runs on its caller's actor, and the closure
  /// would begin on any thread: https://github.com/swiftlang/swift/issues/86083.
  private func run(on _: isolated (any Actor)?) async {
    precondition(!hasBegun, "a borrowed closure is run twice")
    hasBegun = true
    await body()
  }
}
