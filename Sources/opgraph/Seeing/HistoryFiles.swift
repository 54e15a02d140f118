import StructuredOperationsInsight

/// The files that show how a run went by: a trace and a page, written when it is over.
struct HistoryFiles: Sendable {
  /// To observe the queue of the run.
  let journal: OperationJournal
  private let trace: ReplacedFile?
  private let page: ReplacedFile?
  private let title: String

  /// Nil if none is wanted.
  ///
  /// Throws ``InputError`` if it can be seen already that one will not be written.
  init?(for graph: Graph, of file: GraphFile, options: RunOptions) throws {
    guard options.trace != nil || options.report != nil else { return nil }
    trace = options.trace.map(ReplacedFile.init)
    page = options.report.map(ReplacedFile.init)
    title = "\(file.shortName) (-j \(options.width))"
    try trace?.check()
    try page?.check()
    journal = OperationJournal(capacity: graph.nodes.count)
  }

  /// Returns whether all of them have been written; blocks the calling thread.
  func write() -> Bool {
    let history = journal.history
    // One after the other, since each is a long text.
    let isTraceThere = Self.write(to: trace) { history.chromeTrace() }
    return Self.write(to: page) { history.html(title: title) } && isTraceThere
  }

  private static func write(to file: ReplacedFile?, _ text: () -> String) -> Bool {
    guard let file else { return true }
    do {
      let text = text()
      try file.replace { try $0.write(Array(text.utf8)) }
      return true
    } catch {
      Descriptor.complain("cannot write \(file.path): \(error)")
      return false
    }
  }
}
