/// The commands of a ``CommandLoop``, by what is waited for.
struct WatchedCommands {
  struct Command: Sendable {
    let process: CommandProcess
    let started = ContinuousClock.now
    let output: CommandOutput
    let whenEnded: @Sendable (CommandResult) -> Void
  }

  /// Those whose output is open.
  var writing: [Command] = []
  /// Those whose output has ended, but which have not exited when last asked.
  private var exiting: [Command] = []

  /// Reads once from each output that is ready, so that none keeps the others waiting.
  ///
  /// - Parameter isReady: For each of `writing`, whether a read returns at once.
  mutating func read(where isReady: [Bool], buffer: inout [UInt8]) {
    for index in writing.indices.reversed() where isReady[index] {
      let descriptor = writing[index].process.output
      // If the output cannot be read, the exit status is still reported.
      let count = (try? descriptor.read(into: &buffer)) ?? 0
      writing[index].output.append(buffer[..<count])
      guard count == 0 else { continue }
      descriptor.close()
      exiting.append(writing.remove(at: index))
    }
  }

  /// Tells the ends of commands that have both exited and no output open.
  mutating func finishThoseThatHaveExited() {
    exiting = exiting.filter { command in
      guard let ending = command.process.reapIfExited() else { return true }
      command.whenEnded(
        CommandResult(
          ending: ending, wasSignalled: command.process.wasSignalled,
          duration: command.started.duration(to: .now), output: command.output))
      return false
    }
  }
}
