/// What came up under a lock and has to wait until the lock is released: objects to be freed, which may run code of the
/// user's and take the same lock again, and what observers are to be told.
struct DeferredReleases {
  private var objects: [Any] = []
  private var calls: [() -> Void] = []

  /// Holds something, and returns it.
  @discardableResult
  mutating func keep<Value>(_ value: Value) -> Value {
    objects.append(value)
    return value
  }

  mutating func call(_ body: @escaping () -> Void) { calls.append(body) }

  /// Does what had to wait, for a caller that holds no lock any more.
  consuming func perform() {
    for call in calls { call() }
  }
}
