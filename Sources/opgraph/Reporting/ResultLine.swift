/// The line for the end of a command, whose parts stand in columns.
struct ResultLine: Sendable {
  private let style: TextStyle
  /// The width that identifiers are padded or cut to.
  private let width: Int

  /// The most columns of an identifier where lines may have any length.
  ///
  /// Limited, so that one very long identifier does not push all results off the screen.
  private static let widthLimit = 100
  /// Those of the verb, the time, the spaces and a usual ending.
  private static let otherColumns = 9 + 2 + 2 + 10 + 2 + 15

  /// - Parameter columns: Those of the terminal; nil where lines may have any length.
  init(ids: [String], columns: Int?, style: TextStyle) {
    self.style = style
    let limit = columns.map { max(16, $0 - Self.otherColumns) } ?? Self.widthLimit
    width = min(ids.lazy.map(\.displayWidth).max() ?? 0, limit)
  }

  func text(_ id: String, _ result: CommandResult) -> String {
    let time = result.duration.secondsText
    let padding = String(repeating: " ", count: max(0, 10 - time.count))
    let remark = result.isFailureAllowed && result.verdict == .failed ? ", which is allowed" : ""
    return "\(verb(result.verdict))\(column(id))  \(padding)\(time)  \(result.ending)\(remark)"
  }

  /// The line for an attempt that has failed.
  ///
  /// - Parameter attempts: How many there may be; nil if that is not known.
  func text(retrying id: String, _ result: CommandResult, attempt: Int, of attempts: Int?, delay: Duration) -> String {
    let total = attempts.map { " of \($0)" } ?? ""
    let wait = delay > .zero ? " in \(delay.waitText)" : ""
    return "\(verb("retry", .yellow))\(column(id))  \(result.ending), attempt \(attempt + 1)\(total)\(wait)"
  }

  private func column(_ id: String) -> String {
    id.cutInTheMiddle(toWidth: width).padded(toWidth: width)
  }

  private func verb(_ verdict: CommandResult.Verdict) -> String {
    switch verdict {
    case .done: verb("done", .green)
    case .failed: verb("failed", .red)
    case .cancelled: verb("cancelled", .yellow)
    }
  }

  private func verb(_ text: String, _ color: TextStyle.Color) -> String {
    style(text, color) + String(repeating: " ", count: 11 - text.count)
  }
}
