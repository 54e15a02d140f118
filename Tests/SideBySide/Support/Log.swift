import TestSupport

/// A log of what happened, in order.
final class Log: Sendable {
  private let entries = Locked<[String]>([])

  func callAsFunction(_ entry: String) { entries.append(entry) }

  var count: Int { entries.current.count }

  /// The entries in order.
  var order: String { Self.text(entries.current) }

  /// The entries regardless of their order.
  var sorted: String { Self.text(entries.current.sorted()) }

  private static func text(_ entries: [String]) -> String {
    entries.isEmpty ? "nothing" : entries.joined(separator: " ")
  }
}
