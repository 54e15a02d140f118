/// Frees chains of objects in a loop.
///
/// An object that is freed inside the `deinit` of another adds to the depth of the stack, and a long chain overflows
/// it. If each `deinit` passes what it held to ``release(_:)`` instead, the objects are freed one after the other.
///
/// The argument has to be the only reference: a variable of the caller's would free the object after the loop, when it
/// goes out of scope.
enum IterativeRelease {
  /// Releases an object: at once, or in the loop that the calling thread already runs further up its stack.
  static func release(_ object: consuming AnyObject?) {
    if let pending = current {
      if let object { pending.pointee.append(object) }
      return
    }
    var first = consume object
    if first == nil { return }
    var pending: [AnyObject] = []
    withUnsafeMutablePointer(to: &pending) { pending in
      current = pending
      first = nil
      while pending.pointee.popLast() != nil {}
      current = nil
    }
  }

  /// A value that may hold objects, as an object.
  final class Box<Value> {
    private let value: Value

    init(_ value: consuming Value) {
      self.value = value
    }
  }

  /// The objects that the calling thread's loop still has to release; nil outside a loop.
  private static var current: UnsafeMutablePointer<[AnyObject]>? {
    get { local.value?.assumingMemoryBound(to: [AnyObject].self) }
    set { local.value = newValue.map { UnsafeMutableRawPointer($0) } }
  }

  private static let local = ThreadLocalPointer()
}
