/// Calls a closure in its `deinit`: shows when the closure that captured it has been freed.
package final class Canary: Sendable {
  private let freed: @Sendable () -> Void

  package init(_ freed: @escaping @Sendable () -> Void) {
    self.freed = freed
  }

  /// Opens a gate when the canary is freed.
  package convenience init(_ gate: Gate) {
    self.init { gate.open() }
  }

  /// Does nothing; called so that a closure captures the canary.
  package func sing() {}

  deinit { freed() }
}
