/// Frees chains of objects in a loop.
///
/// An object that is freed inside the `deinit` of another adds to the depth of the stack, and a long chain overflows
/// it. If each `deinit` passes the objects that it held to ``release(_:)`` instead, they are freed one after the other.
enum IterativeRelease {
  /// Releases the objects: at once, or in the loop that the calling thread already runs further up its stack.
  static func release(_ objects: consuming [AnyObject]) {
    if objects.isEmpty { return }
    if let pending = current {
      pending.pointee += objects
      return
    }
    // Consumed, because a copy in the parameter would keep the objects alive until after the loop.
    var pending = consume objects
    withUnsafeMutablePointer(to: &pending) { pending in
      current = pending
      while pending.pointee.popLast() != nil {}
      current = nil
    }
  }

  /// The objects that the calling thread's loop still has to release; nil outside a loop.
  private static var current: UnsafeMutablePointer<[AnyObject]>? {
    get { local.value?.assumingMemoryBound(to: [AnyObject].self) }
    set { local.value = newValue.map { UnsafeMutableRawPointer($0) } }
  }

  #if os(WASI)
    private struct Local {
      var value: UnsafeMutableRawPointer?
    }

    /// Safe, because this platform has one thread.
    private nonisolated(unsafe) static var local = Local()
  #else
    private static let local = ThreadLocalPointer()
  #endif
}
