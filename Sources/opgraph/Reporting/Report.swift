import Foundation

/// Formats the events of a run and counts the results; prints nothing.
struct Report: Sendable {
  private let total: Int
  /// The width that identifiers are padded to, so that the text after them is aligned.
  private let width: Int
  /// The operations whose result has been reported.
  private var reported: Set<String> = []
  private var done = 0
  private var failed = 0
  private var skipped = 0
  private var cancelled = 0
  /// Those of the failed ones that do not make the run fail.
  private var allowed = 0

  init(ids: [String]) {
    total = ids.count
    // Limited, so that one long identifier does not push the other lines off the screen.
    width = min(ids.map(\.count).max() ?? 0, 32)
  }

  /// The line for an event, or nil if the operation's result has been reported.
  mutating func line(for event: RunEvent) -> String? {
    switch event {
    case .started(let id):
      return line("start", id)
    case .output, .retrying:
      return nil
    case .ended(let id, let result):
      reported.insert(id)
      if result.verdict == .failed && result.isFailureAllowed { allowed += 1 }
      let time = Self.seconds(result.duration).leftPadded(to: 10)
      return line(count(result.verdict), id, "\(time)  \(result.ending)")
    case .notRun(let id, let reason):
      // The result of an operation that was cancelled while it ran has been reported by its `ended` event.
      guard reported.insert(id).inserted else { return nil }
      switch reason {
      case .cancelled:
        cancelled += 1
        return line("cancelled", id, "(not run)")
      case .dependencyFailed(let root):
        skipped += 1
        return line("skipped", id, "(\(root) failed)")
      case .upToDate:
        done += 1
        return line("done", id, "(up to date)")
      }
    }
  }

  func summary(after duration: Duration) -> String {
    var counts = ["\(done) done", "\(failed) failed", "\(skipped) skipped"]
    if cancelled > 0 { counts.append("\(cancelled) cancelled") }
    let noun = total == 1 ? "operation" : "operations"
    return "\(total) \(noun): \(counts.joined(separator: ", ")), \(Self.seconds(duration))"
  }

  /// Whether every operation ran, and succeeded unless it may fail.
  var isSuccess: Bool { done + allowed == total }

  private mutating func count(_ verdict: CommandResult.Verdict) -> String {
    switch verdict {
    case .done:
      done += 1
      return "done"
    case .failed:
      failed += 1
      return "failed"
    case .cancelled:
      cancelled += 1
      return "cancelled"
    }
  }

  private func line(_ verb: String, _ id: String, _ rest: String? = nil) -> String {
    let start = verb.rightPadded(to: 9) + "  "
    guard let rest else { return start + id }
    return start + id.rightPadded(to: width) + "  " + rest
  }

  private static func seconds(_ duration: Duration) -> String {
    String(format: "%.3f s", duration / .seconds(1))
  }
}

extension String {
  fileprivate func rightPadded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
