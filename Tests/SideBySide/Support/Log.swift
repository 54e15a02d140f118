import Foundation

/// What happened, in order.
///
/// Unchecked, because `NSLock` guards the entries without the compiler's knowing. The proof: they are touched under it
/// alone.
final class Log: @unchecked Sendable {
  private let lock = NSLock()
  private var entries: [String] = []

  func callAsFunction(_ entry: String) {
    lock.withLock { entries.append(entry) }
  }

  var count: Int { lock.withLock { entries.count } }

  /// The entries, in order.
  var order: String { lock.withLock { entries.isEmpty ? "nothing" : entries.joined(separator: " ") } }

  /// The entries, without their order.
  var sorted: String { lock.withLock { entries.isEmpty ? "nothing" : entries.sorted().joined(separator: " ") } }
}
