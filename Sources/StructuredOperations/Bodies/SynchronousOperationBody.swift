/// A body of an operation as a type: the equivalent of a subclass that overrides `main()`.
///
/// ```swift
/// struct Thumbnail: SynchronousOperationBody {
///   var image: Image
///   func main() throws -> Image { try image.scaled(by: 0.1) }
/// }
/// let thumbnail = AsyncOperation(Thumbnail(image: image))
/// ```
public protocol SynchronousOperationBody<Output>: Sendable {
  /// The type of the body's output.
  associatedtype Output: Sendable

  /// Does the work of the operation, which finishes when this method returns or throws.
  ///
  /// Called once, on a thread of ``OperationThreadPool`` unless the operation or queue has an executor. It may block
  /// its thread. `Task.isCancelled` is true once the operation has been cancelled.
  func main() throws -> Output
}
