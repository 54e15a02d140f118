import Foundation

/// A value behind a lock whose order the thread sanitizer understands.
///
/// Unchecked, because `NSLock` guards the value without the compiler's knowing. The proof: nothing else reaches it.
final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  var current: Value { withLock { $0 } }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&value)
  }
}

extension Locked {
  func append<Element>(_ element: Element) where Value == [Element] {
    withLock { $0.append(element) }
  }

  func increment() where Value == Int {
    withLock { $0 += 1 }
  }
}
