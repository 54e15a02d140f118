/// A form of the report on its way to a file: what an event adds is gathered, and written at once.
struct Page {
  /// More than this is not gathered.
  private static let sizeLimit = 1 << 16

  private(set) var report: any Report
  var text: [UInt8] = []
  private let write: ([UInt8]) throws -> Void
  /// Nil until a write has failed, after which there are no others.
  private(set) var error: (any Error)?

  init(_ report: any Report, write: @escaping ([UInt8]) throws -> Void) {
    self.report = report
    self.write = write
  }

  mutating func begin() { report.begin(to: &text) }

  mutating func open(_ event: RunEvent, at time: Duration) -> Bool {
    report.open(event, at: time, to: &text)
  }

  mutating func output(_ piece: ArraySlice<UInt8>, of id: String, at time: Duration) {
    report.output(piece, of: id, at: time, to: &text)
    if text.count > Self.sizeLimit { flush() }
  }

  mutating func close(_ event: RunEvent, at time: Duration) {
    report.close(event, at: time, to: &text)
    if text.count > Self.sizeLimit { flush() }
  }

  mutating func end(_ tally: Tally, at time: Duration, notes: [String]) {
    report.end(tally, at: time, notes: notes, to: &text)
    flush()
  }

  mutating func flush() {
    defer { text.removeAll(keepingCapacity: true) }
    guard !text.isEmpty, error == nil else { return }
    do {
      try write(text)
    } catch {
      self.error = error
    }
  }
}
