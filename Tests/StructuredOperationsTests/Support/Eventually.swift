/// Waits for something that nobody announces, such as the end of an object.
///
/// - Returns: Whether it came to pass.
func eventually(
  within limit: Duration = .seconds(20),
  isolation: isolated (any Actor)? = #isolation,
  _ condition: () async -> Bool
) async -> Bool {
  let deadline = ContinuousClock.now + limit
  while ContinuousClock.now < deadline {
    if await condition() { return true }
    for _ in 0..<10 { await Task.yield() }
  }
  return await condition()
}

/// A reference that does not keep its object.
struct Weak: Sendable {
  weak var object: (any AnyObject & Sendable)?

  init(_ object: any AnyObject & Sendable) {
    self.object = object
  }
}

/// Tells by its end that what captured it has been freed.
final class Canary: Sendable {
  private let gone: Gate

  init(_ gone: Gate) {
    self.gone = gone
  }

  /// Something for a closure to do with it.
  func sing() {}

  deinit { gone.open() }
}
