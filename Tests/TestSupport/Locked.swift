import StructuredOperations

/// A value behind a lock, shared by reference: the library's lock in a class, so that closures can capture it.
package final class Locked<Value: Sendable>: Sendable {
  private let value: Guarded<Value>

  package init(_ value: Value) {
    self.value = Guarded(value)
  }

  package var current: Value { withLock { $0 } }

  package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock(body)
  }
}

extension Locked {
  package func append<Element>(_ element: Element) where Value == [Element] {
    withLock { $0.append(element) }
  }

  package func increment() where Value == Int {
    withLock { $0 += 1 }
  }
}
