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
struct BorrowedClosure: @unchecked Sendable {
  private let body: nonisolated(nonsending) () async -> Void

  private init(_ body: nonisolated(nonsending) @escaping () async -> Void) {
    self.body = body
  }

  /// Lends a closure to another function, which has to wait for the child task that runs it, on `isolation`.
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
      // Captured, so that this closure runs there, too.
      _ = isolation
      try await function(BorrowedClosure(body))
    }
  }

  /// Runs the closure: once, in the child task.
  ///
  /// - Parameter actor: The actor of the caller; nil if it is on none.
  func run(on actor: isolated (any Actor)?) async { await body() }
}
