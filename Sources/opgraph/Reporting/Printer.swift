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

    func write(_ bytes: [UInt8]) {
      guard !isBroken else { return }
      do {
        try output.write(bytes)
      } catch {
        isBroken = true
        Descriptor.complain("cannot write the report: \(error)")
        onFailure()
      }
    }

    for await event in events {
      guard let line = report.line(for: event) else { continue }
      write(Array("\(line)\n".utf8))
      guard case .ended(_, let result) = event else { continue }
      write(result.output)
      // The next event begins on a new line.
      if let last = result.output.last, last != UInt8(ascii: "\n") { write([UInt8(ascii: "\n")]) }
    }
    write(Array("\(report.summary(after: started.duration(to: .now)))\n".utf8))
    return report.isSuccess && !isBroken ? 0 : 1
  }
}
