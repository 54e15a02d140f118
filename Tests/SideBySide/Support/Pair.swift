import Foundation
import StructuredOperations

/// Two operations that know each other.
///
/// Unchecked, because `NSLock` guards them without the compiler's knowing. The proof: they are touched under it alone.
final class Pair: @unchecked Sendable {
  private let lock = NSLock()
  private var operations: (one: AsyncOperation<Void>, other: AsyncOperation<Void>)?

  var one: AsyncOperation<Void>? { lock.withLock { operations?.one } }
  var other: AsyncOperation<Void>? { lock.withLock { operations?.other } }

  func set(_ one: AsyncOperation<Void>, _ other: AsyncOperation<Void>) {
    lock.withLock { operations = (one, other) }
  }
}
