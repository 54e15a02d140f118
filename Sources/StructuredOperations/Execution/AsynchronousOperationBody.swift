/// A type whose values are bodies of operations: the port of overriding `start()`.
///
/// ```swift
/// struct Upload: AsynchronousOperationBody {
///   var file: File
///   func start() async throws -> URL { try await server.store(file) }
/// }
/// let upload = AsyncOperation(Upload(file: file))
/// ```
public protocol AsynchronousOperationBody<Output>: Sendable {
  /// What the body produces.
  associatedtype Output: Sendable

  /// Does the work of the operation, which has finished when this returns or throws.
  ///
  /// It is called once, in a task of its queue, and must not block. `Task.isCancelled` tells whether the operation has
  /// been cancelled.
  func start() async throws -> Output
}
