/// A closure of a caller that runs in a child task, while the caller waits for that task.
///
/// The closure may use what is not `Sendable`: variables of its caller, the state of its actor. Unchecked, because the
/// compiler cannot see that only one task at a time does so. The proof, for a caller that keeps to what is said below:
///
/// - The closure is used by the child task alone. Its caller awaits that task from its start until after it has ended,
///   and touches neither the closure nor what that captures meanwhile. The wait orders what the one does before what the other
///   does.
/// - Where the caller is on an actor, the child task runs the closure on the same actor. So other tasks that use the
///   actor's state take turns with it, as with any asynchronous function of the actor.
/// - The result is written by the child task, and read by the caller once that task has ended.
final class BorrowedClosure: @unchecked Sendable {
  private let body: nonisolated(nonsending) () async -> Void

  private init(_ body: nonisolated(nonsending) @escaping () async -> Void) {
    self.body = body
  }

  /// Lends a closure to another function, which has to wait for the child task that runs it, on `isolation`.
  ///
  /// - Returns: The result of the closure, once the function has returned.
  static func lend<Output>(
    _ body: nonisolated(nonsending) () async throws -> Output,
    isolation: isolated (any Actor)?,
    to function: nonisolated(nonsending) (BorrowedClosure) async throws -> Void
  ) async throws -> Output {
    // Neither properties of a generic class nor a `Result`, whose metadata would be looked up in each call.
    var output: Output?
    var failure: (any Error)?
    let keepResult: nonisolated(nonsending) () async -> Void = {
      do { output = try await body() } catch { failure = error }
    }
    try await withoutActuallyEscaping(keepResult) { body in
      // Captured, so that this closure runs there, too.
      _ = isolation
      try await function(BorrowedClosure(body))
    }
    if let failure { throw failure }
    guard let output else { preconditionFailure("a borrowed closure was not run") }
    return output
  }

  /// Runs the closure: once, in the child task.
  ///
  /// - Parameter actor: The actor of the caller; nil if it is on none.
  func run(on actor: isolated (any Actor)?) async { await body() }
}
