import StructuredOperations

/// Makes operations that run commands and report their events.
///
/// Bodies decide whether their commands have to run, and report what these do.
final class CommandRunner: Sendable {
  private let nodes: [Graph.Node]
  private let events: RunEvents
  private let running: RunningCommands
  private let loop: CommandLoop
  private let options: RunOptions
  private let state: RunState
  private let spool = OutputSpool()

  init(
    nodes: [Graph.Node], events: RunEvents, running: RunningCommands, loop: CommandLoop, options: RunOptions,
    state: RunState
  ) {
    (self.nodes, self.events, self.running, self.loop, self.options) = (nodes, events, running, loop, options)
    self.state = state
  }

  /// The operation of the node at an index.
  func operation(at index: Int) -> AsyncOperation<Void> {
    AsyncOperation<Void>(name: nodes[index].id, queuePriority: nodes[index].priority) { [self] in
      // Not taken along, because there may be many that wait.
      let node = nodes[index]
      guard state.decision(for: node) == .run else { return events.send(.notRun(id: node.id, .upToDate)) }
      let result = try await result(of: node)
      state.ended(node.id, isSuccess: result.verdict == .done && !result.wasSignalled)
      // Before the operation finishes, after which dependents may start.
      events.send(.ended(id: node.id, result))
      switch result.verdict {
      case .done: return
      case .failed where result.isFailureAllowed: return
      case .failed: throw result.ending
      case .cancelled: throw CancellationError()
      }
    }
  }

  /// The result of the last attempt; throws `CancellationError` if not even the first one was started.
  private func result(of node: Graph.Node) async throws -> CommandResult {
    guard let retries = node.retries, retries.attempts > 1 else {
      return try await attempt(1, of: node, isLast: true)
    }
    var last: CommandResult?
    do {
      try await withOperationRetry(retries.policy, clock: LoopClock(loop: loop)) { number in
        let isLast = number >= retries.attempts
        let result = try await attempt(number, of: node, isLast: isLast)
        last = result
        guard result.verdict == .failed, !isLast, !Task.isCancelled, running.pause(node.id) else { return }
        events.send(
          .retrying(id: node.id, result, attempt: number, delay: retries.delay(after: number)))
        throw result.ending
      }
    } catch {
      // Cancelled in a pause, or when the next attempt was to start: the one before it was the last, and has been told.
      guard var told = last else { throw error }
      told.duration = .zero
      told.output = nil
      return told
    }
    guard let last else { preconditionFailure("\(node.id) has neither a result nor an error") }
    return last
  }

  /// Runs the command once; throws `CancellationError` if it may not start any more.
  private func attempt(_ number: Int, of node: Graph.Node, isLast: Bool) async throws -> CommandResult {
    // Failures that are followed by another attempt do not count, nor do those that are allowed.
    let counts = isLast && !node.allowsFailure
    let process: CommandProcess
    do {
      process = try await running.start(node.id) { [state] in
        try state.willStart(node)
        return try CommandProcess(
          command: node.run, directory: node.directory, environment: node.environment, launcher: node.launcher)
      }
    } catch let error as SystemError {
      if number == 1 { events.send(.started(id: node.id)) }
      if counts { running.failedToStart() }
      return CommandResult(
        ending: .notStarted(error), wasSignalled: false, duration: .zero, output: nil,
        isFailureAllowed: node.allowsFailure, attempts: number)
    } catch {
      // A cancellation that nobody asked the operation for would be a failure.
      AsyncOperation<Never>.current?.cancel()
      throw error
    }
    events.send(number == 1 ? .started(id: node.id) : .resumed(id: node.id))
    let timer = node.timeout.map { schedule(timeout: $0, of: process) }
    var result = await end(of: process, of: node.id, counts: counts)
    if let timer { loop.cancel(timer) }
    result.isFailureAllowed = node.allowsFailure
    result.attempts = number
    return result
  }

  private func end(of process: CommandProcess, of id: String, counts: Bool) async -> CommandResult {
    await withCheckedContinuation { continuation in
      loop.watch(
        WatchedCommands.Command(process: process, sink: sink(of: id)) { [running] result in
          // At once, so that no command is started between a failure and its being counted.
          running.ended(id, result.verdict, counts: counts)
          continuation.resume(returning: result)
        })
    }
  }

  private func sink(of id: String) -> OutputSink {
    switch options.output {
    case .grouped: .collect(CommandOutput(spool: spool))
    case .live, .prefixed: .pass { [events] in events.send(output: $0, of: id) }
    }
  }

  private func schedule(timeout: Duration, of process: CommandProcess) -> Timers.ID {
    loop.schedule(after: timeout) { [loop, options] in
      guard process.timeOut(after: timeout) else { return }
      loop.schedule(after: options.grace) {
        process.killLate()
        loop.schedule(after: process.hasLauncher ? options.launcherGrace : .zero) {
          process.killRest()
          // What was killed holds its output until it is gone, and then others may have its ports and files. What has left the
          // process group has not been killed, and may hold the output for ever.
          loop.schedule(after: Self.killTime) { loop.giveUpOutput(of: process) }
        }
      }
    }
  }

  /// How long the output of a killed command is waited for.
  private static let killTime = Duration.seconds(1)
}
