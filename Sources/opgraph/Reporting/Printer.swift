/// Writes the report of a run as it happens: the one writer, so that no two outputs can mix.
struct Printer: Sendable {
  let output: Descriptor
  /// Called once, when nobody reads the report any more or it cannot be written.
  let onFailure: @Sendable () -> Void

  /// Prints until the events end, and gives the status to exit with.
  ///
  /// A reader who is slow to take the output holds up this task's thread, and with it new operations on a machine of
  /// one core; commands that run go on all the same.
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
      // The next event starts its own line.
      if let last = result.output.last, last != UInt8(ascii: "\n") { write([UInt8(ascii: "\n")]) }
    }
    write(Array("\(report.summary(after: started.duration(to: .now)))\n".utf8))
    return report.isSuccess && !isBroken ? 0 : 1
  }
}
