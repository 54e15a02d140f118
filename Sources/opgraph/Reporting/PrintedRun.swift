/// A run of which the report is being written; all times are since its start.
struct PrintedRun {
  private let onFailure: () -> Void
  private(set) var tally: Tally
  private(set) var times: CommandTimes
  private var page: Page
  /// A second form of the report, which goes to a file; nil if none is wanted.
  var record: Page?
  /// Nil if the report has none.
  var status: StatusDisplay?
  /// Whether an output could not be reported as a whole.
  private var isIncomplete = false
  /// Whether `onFailure` has been called.
  private var hasFailed = false

  init(_ graph: Graph, page: Page, onFailure: @escaping () -> Void) {
    tally = Tally(graph)
    times = CommandTimes(graph)
    self.page = page
    self.onFailure = onFailure
  }

  mutating func begin() {
    page.begin()
    finishBatch(at: .zero)
  }

  /// - Parameters:
  ///   - batch: Events, each with the time at which it came about.
  ///   - time: The present time, for the status line.
  mutating func print(_ batch: [(event: RunEvent, time: Duration)], statusAt time: Duration) {
    status?.erase(in: &page.text)
    for (event, time) in batch { print(event, at: time) }
    finishBatch(at: time)
  }

  /// Returns whether everything was done and reported.
  mutating func end(notes: [String], at time: Duration) -> Bool {
    status?.erase(in: &page.text)
    page.end(tally, at: time, notes: notes)
    record?.end(tally, at: time, notes: notes)
    checkFailure()
    return tally.isSuccess && !hasFailed && !isIncomplete
  }

  private mutating func finishBatch(at time: Duration) {
    status?.draw(tally, at: time, isAtLineStart: page.report.isAtLineStart, in: &page.text)
    page.flush()
    checkFailure()
  }

  private mutating func print(_ event: RunEvent, at time: Duration) {
    tally.received(event)
    times.received(event)
    status?.received(event, at: time)
    if case .output(let id, let bytes) = event {
      page.output(bytes[...], of: id, at: time)
      record?.output(bytes[...], of: id, at: time)
      return
    }
    let isWanted = page.open(event, at: time)
    let isRecorded = record?.open(event, at: time) ?? false
    if let (id, result) = event.result, let output = result.output {
      print(output, of: id, at: time, isWanted: isWanted, isRecorded: isRecorded)
    }
    page.close(event, at: time)
    record?.close(event, at: time)
  }

  private mutating func print(
    _ output: CommandOutput, of id: String, at time: Duration, isWanted: Bool, isRecorded: Bool
  ) {
    if isWanted || isRecorded {
      do {
        try output.forEachPiece { piece in
          if isWanted { page.output(piece[...], of: id, at: time) }
          if isRecorded { record?.output(piece[...], of: id, at: time) }
        }
      } catch {
        isIncomplete = true
        Descriptor.complain("the output of \(id.quoted) cannot be read: \(error)")
      }
    }
    guard let loss = output.loss else { return }
    isIncomplete = true
    Descriptor.complain(
      "the output of \(id.quoted) lacks its last \(loss.byteCount) bytes, which could not be stored in a "
        + "temporary file: \(loss.error)")
  }

  private mutating func checkFailure() {
    guard !hasFailed, let error = page.error else { return }
    hasFailed = true
    Descriptor.complain("cannot write the report: \(error)")
    onFailure()
  }
}
