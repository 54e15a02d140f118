/// Tells by its end that what captured it has been freed.
final class Canary: Sendable {
  private let freed: Signal

  init(_ freed: Signal) {
    self.freed = freed
  }

  /// Something for a closure to do with it.
  func sing() {}

  deinit { freed.open() }
}
