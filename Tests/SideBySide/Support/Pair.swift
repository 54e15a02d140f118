import StructuredOperations
import TestSupport

/// Two operations whose bodies can refer to each other.
final class Pair: Sendable {
  private struct Operations: Sendable {
    var one: AsyncOperation<Void>
    var other: AsyncOperation<Void>
  }

  private let operations = Locked<Operations?>(nil)

  var one: AsyncOperation<Void>? { operations.current?.one }
  var other: AsyncOperation<Void>? { operations.current?.other }

  func set(_ one: AsyncOperation<Void>, _ other: AsyncOperation<Void>) {
    operations.withLock { $0 = Operations(one: one, other: other) }
  }
}
