/// Lets objects go that may hold one another in long chains.
///
/// Where the `deinit` of one hands what it held to ``release(_:)``, a chain is freed link by link in one loop; freeing
/// the next one within the `deinit` of each would overflow the stack (DP-16).
enum IterativeRelease {
  /// Frees the objects, as far as nobody else holds them: now, or in the loop that the calling thread is in already.
  static func release(_ objects: consuming [AnyObject]) {
    if let pending = current {
      pending.pointee += objects
      return
    }
    // The array has to be the only holder: a copy in a local would keep the objects until after the loop.
    var pending = consume objects
    withUnsafeMutablePointer(to: &pending) { pending in
      current = pending
      while pending.pointee.popLast() != nil {}
      current = nil
    }
  }

  /// The objects that the calling thread is about to let go.
  private static var current: UnsafeMutablePointer<[AnyObject]>? {
    get { local.value?.assumingMemoryBound(to: [AnyObject].self) }
    set { local.value = newValue.map { UnsafeMutableRawPointer($0) } }
  }

  #if os(WASI)
    private struct Local {
      var value: UnsafeMutableRawPointer?
    }

    /// Unsafe in name only: there is one thread.
    private nonisolated(unsafe) static var local = Local()
  #else
    private static let local = ThreadLocalPointer()
  #endif
}
