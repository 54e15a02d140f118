/// Has the status line drawn below what has been printed, and erased before something else is.
struct StatusDisplay {
  /// Those of the terminal as it is now.
  private let columns: () -> Int
  private var line = StatusLine()
  /// What stands on the terminal.
  private var shown: String?
  /// Of the last drawing, since the start of the run.
  private var time = Duration.zero

  init(columns: @escaping () -> Int) {
    self.columns = columns
  }

  /// How long events gather after the last drawing.
  var pause: Duration { StatusLine.shortestInterval }

  /// When it is to be drawn although nothing happens: with the next second that it tells.
  var deadline: Duration { .seconds(time.components.seconds) + StatusLine.longestInterval }

  mutating func received(_ event: RunEvent, at time: Duration) {
    line.received(event, at: time)
  }

  func erase(in text: inout [UInt8]) {
    if shown != nil { text += StatusLine.erasure }
  }

  /// - Parameter isAtLineStart: If not, it stays away until the command that prints has ended its line.
  mutating func draw(_ tally: Tally, at time: Duration, isAtLineStart: Bool, in text: inout [UInt8]) {
    self.time = time
    let new = isAtLineStart ? line.text(tally, at: time, columns: columns()) : nil
    if new == shown, text.elementsEqual(shown == nil ? [] : StatusLine.erasure) {
      // Nothing has been printed, and nothing has changed.
      text.removeAll(keepingCapacity: true)
      return
    }
    text += (new ?? "").utf8
    shown = new
  }
}
