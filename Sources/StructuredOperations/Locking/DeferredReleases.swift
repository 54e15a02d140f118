/// What came up under a lock and has to wait until the lock is released: objects to be freed, which may run code of the
/// user's and take the same lock again, and tasks to be resumed.
struct DeferredReleases {
  private var objects: [Any] = []
  private var continuations: [UnsafeContinuation<Void, Never>] = []

  /// Holds something, and returns it.
  @discardableResult
  mutating func keep<Value>(_ value: Value) -> Value {
    objects.append(value)
    return value
  }

  mutating func resume(_ continuations: [UnsafeContinuation<Void, Never>]) { self.continuations += continuations }

  /// Does what had to wait, for a caller that holds no lock any more.
  consuming func perform() {
    for continuation in continuations { continuation.resume() }
  }
}
