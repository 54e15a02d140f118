/// The commands of a ``CommandLoop``, by what is waited for.
struct WatchedCommands {
  struct Command: Sendable {
    let process: CommandProcess
    let started = ContinuousClock.now
    let sink: OutputSink
    let whenEnded: @Sendable (CommandResult) -> Void
  }

  /// What is asked about an output whose reader has had enough.
  private static let nothing: Int16 = 0

  /// What `poll` is asked for: the signals, then each of `writing`; kept from one call to the next.
  private var requests: [pollfd]
  /// Those whose output is open.
  private var writing: [Command] = []
  /// Those whose output has ended, but which have not exited when last asked.
  private var exiting: [Command] = []

  init(signals: Descriptor) {
    requests = [pollfd(fd: signals.number, events: Int16(POLLIN), revents: 0)]
  }

  mutating func add(_ command: Command) {
    writing.append(command)
    requests.append(pollfd(fd: command.process.output.number, events: Int16(POLLIN), revents: 0))
  }

  /// What a call of ``wait(milliseconds:)`` has come to.
  enum Waited: Equatable {
    case done(hasSignals: Bool)
    /// A signal has ended it, and which outputs are ready is not known.
    case interrupted
  }

  /// Waits for signals and outputs.
  mutating func wait(milliseconds: Int32) -> Waited {
    let count = PollRequests.wait(&requests, milliseconds: milliseconds)
    guard count < 0 else { return .done(hasSignals: requests[0].revents != 0) }
    // None of them may end the program: its commands would run on.
    // What the system has left there is of the call before.
    for index in requests.indices { requests[index].revents = 0 }
    return .interrupted
  }

  /// Reads once from each output that is ready, so that none keeps the others waiting; returns whether there was one.
  mutating func read(into buffer: inout [UInt8]) -> Bool {
    var hasRead = false
    for index in writing.indices.reversed()
    where requests[index + 1].revents != 0 && requests[index + 1].events != Self.nothing {
      hasRead = true
      let command = writing[index]
      // If the output cannot be read, the exit status is still reported.
      let count = (try? command.process.output.read(into: &buffer)) ?? 0
      if count == 0 {
        closeOutput(at: index)
      } else if !command.sink.receive(buffer[..<count]) {
        requests[index + 1].events = Self.nothing
      }
    }
    return hasRead
  }

  /// Reads the rest of each output whose reader had enough and whose writers are gone, which is no more than fits into a
  /// pipe.
  ///
  /// Its end must not wait for the reader: the command would be found running when its time is up, though it has ended.
  mutating func readRestsOfPaused(into buffer: inout [UInt8]) {
    for index in writing.indices.reversed() where requests[index + 1].events == Self.nothing {
      let command = writing[index]
      // Linux has told already that there are no writers; others do so only where bytes are asked for, too.
      var request = pollfd(fd: command.process.output.number, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 0) > 0, request.revents & Int16(POLLHUP) != 0 else { continue }
      while let count = try? command.process.output.read(into: &buffer), count > 0 {
        _ = command.sink.receive(buffer[..<count])
      }
      closeOutput(at: index)
    }
  }

  /// Reads what there is of an output, at most as much as `rounds` reads give, and no more of it from then on.
  mutating func giveUp(_ process: CommandProcess, afterReads rounds: Int, into buffer: inout [UInt8]) {
    guard let index = writing.firstIndex(where: { $0.process === process }) else { return }
    var request = pollfd(fd: process.output.number, events: Int16(POLLIN), revents: 0)
    for _ in 0..<rounds where poll(&request, 1, 0) > 0 {
      guard let count = try? process.output.read(into: &buffer), count > 0 else { break }
      // Also if its reader has had enough: nobody keeps the rest for it.
      _ = writing[index].sink.receive(buffer[..<count])
    }
    closeOutput(at: index)
  }

  /// Reads again an output whose reader had enough.
  mutating func resumeReading(_ process: CommandProcess) {
    guard let index = writing.firstIndex(where: { $0.process === process }) else { return }
    requests[index + 1].events = Int16(POLLIN)
  }

  /// Tells the ends of commands that have both exited and no output open.
  mutating func finishThoseThatHaveExited() {
    for index in exiting.indices.reversed() {
      let command = exiting[index]
      guard let ending = command.process.reapIfExited() else { continue }
      exiting.remove(at: index)
      command.whenEnded(
        CommandResult(
          ending: ending, wasSignalled: command.process.wasSignalled,
          duration: command.started.duration(to: .now), output: command.sink.output))
    }
  }

  /// Fills the place with the last one.
  private mutating func closeOutput(at index: Int) {
    writing[index].process.output.close()
    exiting.append(writing[index])
    writing.swapAt(index, writing.count - 1)
    requests.swapAt(index + 1, requests.count - 1)
    writing.removeLast()
    requests.removeLast()
  }
}
