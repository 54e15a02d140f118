/// A type whose values are bodies of operations: the port of overriding `main()`.
///
/// ```swift
/// struct Thumbnail: SynchronousOperationBody {
///   var image: Image
///   func main() throws -> Image { try image.scaled(by: 0.1) }
/// }
/// let thumbnail = AsyncOperation(Thumbnail(image: image))
/// ```
public protocol SynchronousOperationBody<Output>: Sendable {
  /// What the body produces.
  associatedtype Output: Sendable

  /// Does the work of the operation, which has finished when this returns or throws.
  ///
  /// It is called once, on a thread of ``OperationThreadPool`` unless an executor says otherwise, and may block.
  /// `Task.isCancelled` tells whether the operation has been cancelled.
  func main() throws -> Output
}
