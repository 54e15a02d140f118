import Synchronization

/// Runs the tasks of a run, reads the outputs of its commands, notices their exits, and hands on signals and times that
/// are up, all on one thread.
///
/// It has to be a thread that exists before the first command: if each command had its own, the system could refuse to
/// make it once the command runs, and nobody would notice the end of that command. It is also the executor of the run,
/// because otherwise two threads would have to wake each other for each command.
final class CommandLoop: TaskExecutor {
  /// What the thread does not know of yet.
  private struct Inbox {
    var jobs: [UnownedJob] = []
    /// Jobs that were enqueued while commands were attended to: of bodies whose commands have ended.
    ///
    /// They go first: among the others may be thousands that start commands.
    var endJobs: [UnownedJob] = []
    var isAttending = false
    var commands: [WatchedCommands.Command] = []
    /// Those whose output is to be read again.
    var resumed: [CommandProcess] = []
    /// Those whose output is not to be waited for any more.
    var givenUp: [CommandProcess] = []
    var timers = Timers()
    /// Whether the thread waits, or is about to, so that it has to be woken.
    var isWaiting = false

    var hasJobs: Bool { !jobs.isEmpty || !endJobs.isEmpty }

    mutating func append(_ job: UnownedJob) {
      if isAttending { endJobs.append(job) } else { jobs.append(job) }
    }

    /// Takes the first jobs, no more than ``busyLimit`` but for those of ends.
    mutating func takeJobs() -> [UnownedJob] {
      if !endJobs.isEmpty { return exchange(&endJobs, with: []) }
      if jobs.count <= CommandLoop.busyLimit { return exchange(&jobs, with: []) }
      defer { jobs.removeFirst(CommandLoop.busyLimit) }
      return Array(jobs.prefix(CommandLoop.busyLimit))
    }
  }

  /// What the thread does next.
  private enum Step {
    case giveUp([CommandProcess])
    case run([UnownedJob], [Timers.Action])
    case wait(milliseconds: Int32)
  }

  /// After so many jobs and steps signals and commands are attended to, though there are more, and times that are up looked for.
  ///
  /// A job may start a process, which takes a millisecond.
  private static let busyLimit = 64

  /// How often commands are attended to before an action that is due.
  ///
  /// One call is interrupted, then those come that read what lies in a pipe, and one sees its end. A pipe holds 16 pages,
  /// which have up to 64 KB: as much as is read at once. A command that never stops writing is not to hold up the action.
  private static let roundLimit = 18

  private let signals: SignalPipe
  private let reapsOthers: Bool
  private let inbox = Mutex(Inbox())

  /// The signals have to include SIGCHLD.
  ///
  /// - Parameter reapsOthers: Whether children that are no commands are reaped. The first process of a container becomes the
  ///   parent of what commands leave behind, and nobody else would reap that.
  init(signals: SignalPipe, reapsOthers: Bool = getpid() == 1) {
    (self.signals, self.reapsOthers) = (signals, reapsOthers)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    put { $0.append(job) }
  }

  /// Collects the output of a command, and tells its end.
  func watch(_ command: WatchedCommands.Command) {
    put { $0.commands.append(command) }
  }

  /// Reads again the output of a command whose reader had enough.
  func resumeReading(_ process: CommandProcess) {
    put { $0.resumed.append(process) }
  }

  /// Waits for the exit of a command alone from now on, and no longer for those that hold its output.
  ///
  /// What it has written until now is read.
  func giveUpOutput(of process: CommandProcess) {
    put { $0.givenUp.append(process) }
  }

  /// Calls `action` on the loop's thread when the time is up.
  @discardableResult
  func schedule(after delay: Duration, _ action: @escaping Timers.Action) -> Timers.ID {
    schedule(at: .now.advanced(by: delay), action)
  }

  @discardableResult
  func schedule(at deadline: ContinuousClock.Instant, _ action: @escaping Timers.Action) -> Timers.ID {
    put { $0.timers.add(at: deadline, action) }
  }

  /// Removes an action that is due at a time; on another thread it may have begun.
  func cancel(_ timer: Timers.ID) {
    inbox.withLock { $0.timers.remove(timer) }
  }

  /// Runs the loop on the calling thread; calls `onSignal` with each signal other than SIGCHLD.
  func run(onSignal: (Int32) -> Void) -> Never {
    var commands = WatchedCommands(signals: signals.reading)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var busyCount = 0
    /// Returns whether there may be more to be read at once.
    @discardableResult func attend(milliseconds: Int32) -> Bool {
      busyCount = 0
      let waited = commands.wait(milliseconds: milliseconds)
      inbox.withLock { ($0.isWaiting, $0.isAttending) = (false, true) }
      defer { inbox.withLock { $0.isAttending = false } }
      // A signal that has interrupted the wait is in the pipe by now.
      if waited != .done(hasSignals: false) {
        for number in signals.received() where number != SIGCHLD { onSignal(number) }
      }
      let hasRead = commands.read(into: &buffer)
      commands.readRestsOfPaused(into: &buffer)
      // Also those whose output has just ended: their SIGCHLD may have come before.
      commands.finishThoseThatHaveExited()
      #if os(Linux)
        // Each time, and not at each SIGCHLD: the end of a command may have hidden others.
        if reapsOthers { CommandProcess.reapOthers() }
      #endif
      return hasRead || waited == .interrupted
    }
    while true {
      switch nextStep(&commands) {
      case .giveUp(let processes):
        for process in processes { commands.giveUp(process, afterReads: Self.roundLimit, into: &buffer) }
        commands.finishThoseThatHaveExited()
      case .run(let jobs, let actions):
        busyCount += max(1, jobs.count)
        if !actions.isEmpty {
          // A command that ended in time must not be found running when its time is up. Example: the tool is stopped by
          // Ctrl-Z, the command prints something and ends, and the tool goes on after the time. One read gives the
          // output, and only the next one tells that it has ended.
          for _ in 0..<Self.roundLimit { guard attend(milliseconds: 0) else { break } }
        } else if busyCount >= Self.busyLimit {
          // Signals are heeded whatever is to be done.
          attend(milliseconds: 0)
        }
        for action in actions { action() }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      case .wait(let milliseconds):
        attend(milliseconds: milliseconds)
      }
    }
  }

  private func nextStep(_ commands: inout WatchedCommands) -> Step {
    inbox.withLock { inbox in
      for command in exchange(&inbox.commands, with: []) { commands.add(command) }
      for process in exchange(&inbox.resumed, with: []) { commands.resumeReading(process) }
      guard inbox.givenUp.isEmpty else { return .giveUp(exchange(&inbox.givenUp, with: [])) }
      var milliseconds: Int32 = -1
      if let next = inbox.timers.next {
        let now = ContinuousClock.now
        let due = inbox.timers.takeDue(at: now)
        guard due.isEmpty else { return .run(inbox.takeJobs(), due) }
        // Rounded up, so that the time is up afterwards; below a day, which is a number of milliseconds.
        milliseconds = Int32((min(now.duration(to: next), .seconds(86_400)) / .milliseconds(1)).rounded(.up))
      }
      if inbox.hasJobs { return .run(inbox.takeJobs(), []) }
      inbox.isWaiting = true
      return .wait(milliseconds: milliseconds)
    }
  }

  /// Changes the inbox, and wakes the thread if it waits.
  private func put<Result: Sendable>(_ change: (inout sending Inbox) -> Result) -> Result {
    let (result, isWaiting) = inbox.withLock { inbox in
      (change(&inbox), exchange(&inbox.isWaiting, with: false))
    }
    if isWaiting { signals.wake() }
    return result
  }
}
