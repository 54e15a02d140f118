/// What somebody has come by under the graph's lock, to be freed when it is held no more: that may run code of the
/// user's, and may take the lock once more.
final class GraphGarbage {
  private var kept: [Any] = []

  /// Holds something, and returns it.
  @discardableResult
  func keep<Value>(_ value: Value) -> Value {
    kept.append(value)
    return value
  }
}
