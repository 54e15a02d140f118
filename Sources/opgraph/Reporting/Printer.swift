/// Writes the report during a run, as the only writer, so that outputs of commands are not interleaved.
struct Printer: Sendable {
  let output: Descriptor
  /// Called once if the report cannot be written.
  let onFailure: @Sendable () -> Void

  /// Prints until the events end, and returns the exit status.
  ///
  /// Blocks the thread of its task while the reader of the output is slow.
  func status(printing events: AsyncStream<RunEvent>, of graph: Graph) async -> Int32 {
    let started = ContinuousClock.now
    var report = Report(ids: graph.nodes.map(\.id))
    var isBroken = false
    var isIncomplete = false

    func write(_ write: () throws -> Void) {
      guard !isBroken else { return }
      do {
        try write()
      } catch {
        isBroken = true
        Descriptor.complain("cannot write the report: \(error)")
        onFailure()
      }
    }

    for await event in events {
      guard let line = report.line(for: event) else { continue }
      write { try output.write(Array("\(line)\n".utf8)) }
      guard case .ended(let id, let result) = event, let commandOutput = result.output else { continue }
      write { try self.write(commandOutput) }
      guard let loss = commandOutput.loss else { continue }
      isIncomplete = true
      Descriptor.complain(
        "the output of \(id.debugDescription) lacks its last \(loss.byteCount) bytes, which could not be stored in a "
          + "temporary file: \(loss.error)")
    }
    write { try output.write(Array("\(report.summary(after: started.duration(to: .now)))\n".utf8)) }
    return report.isSuccess && !isBroken && !isIncomplete ? 0 : 1
  }

  private func write(_ commandOutput: CommandOutput) throws {
    var last: UInt8?
    try commandOutput.forEachPiece { piece in
      try output.write(piece)
      last = piece.last ?? last
    }
    // The next event begins on a new line.
    if let last, last != UInt8(ascii: "\n") { try output.write([UInt8(ascii: "\n")]) }
  }
}
