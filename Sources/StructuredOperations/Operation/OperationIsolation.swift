/// The actor on whose executor all operations have what is isolated to them run.
///
/// The package isolates nothing to an operation: its state has a lock, since ``AsyncOperation/cancel()`` and the
/// snapshot are there for synchronous code, too. An executor of its own would take 96 bytes of each.
actor OperationIsolation {
  static let shared = OperationIsolation()
}
