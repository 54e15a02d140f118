/// A body of an operation as a type: the equivalent of a subclass that overrides `start()`.
///
/// ```swift
/// struct Upload: AsynchronousOperationBody {
///   var file: File
///   func start() async throws -> URL {
///     try await server.store(file)
///   }
/// }
/// let upload = AsyncOperation(name: "upload", Upload(file: file))
/// ```
public protocol AsynchronousOperationBody<Output>: Sendable {
  /// The type of the body's output.
  associatedtype Output: Sendable

  /// Does the work of the operation, which finishes when this method returns or throws.
  ///
  /// Called once, in a task of the queue. It must not block its thread. `Task.isCancelled` is true once the operation
  /// has been cancelled.
  func start() async throws -> Output
}
