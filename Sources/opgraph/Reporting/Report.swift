/// A form of the report: turns the events of a run into bytes, and reads and writes nothing.
///
/// For each event ``open(_:at:to:)`` and ``close(_:at:to:)`` are called, and between them ``output(_:of:at:to:)`` with
/// the output that came with the event, if it was asked for. What they write is appended to `text`.
protocol Report: Sendable {
  /// Writes what comes before everything else.
  mutating func begin(to text: inout [UInt8])

  /// Writes what comes before the output of an event's command.
  ///
  /// - Parameter time: Since the start of the run.
  /// - Returns: Whether that output is wanted.
  mutating func open(_ event: RunEvent, at time: Duration, to text: inout [UInt8]) -> Bool

  /// Writes a piece of the output of a command; also those that come while it runs.
  mutating func output(_ piece: ArraySlice<UInt8>, of id: String, at time: Duration, to text: inout [UInt8])

  /// Writes what comes after the output of an event's command.
  mutating func close(_ event: RunEvent, at time: Duration, to text: inout [UInt8])

  /// Writes what comes after everything else.
  ///
  /// - Parameter notes: Lines for the summary, about the run as a whole.
  mutating func end(_ tally: Tally, at time: Duration, notes: [String], to text: inout [UInt8])

  /// Whether the next byte begins a line.
  var isAtLineStart: Bool { get }
}

extension Report {
  var isAtLineStart: Bool { true }
}
