import Synchronization

/// A running shell command, in its own process group.
///
/// Foundation's `Process` is not used, because signals have to reach the whole group and not only the shell.
final class CommandProcess: Sendable {
  fileprivate struct State {
    /// Nil once the process has been reaped, after which the system may reuse the number.
    var id: pid_t?
    var wasSignalled = false
    /// The time that has run out, after which it was told to end.
    var timeout: Duration?
    /// See ``CommandProcess/hasLauncher``.
    let hasLauncher: Bool
    /// Whether its launcher has been killed, and the rest of its group not yet.
    var hasKilledLauncher = false
  }

  /// The processes of all commands that have been started and not been reaped.
  ///
  /// Held from the creation of a pipe until the process has been started. A process started by another thread in between
  /// would inherit the pipe, and its reader would not see the end of the output until that process exits too.
  private static let unreaped = Mutex<Set<pid_t>>([])

  /// The reading end of the pipe that the command writes to; whoever reads it closes it.
  let output: Descriptor
  /// Whether what runs is a launcher, which starts the command.
  let hasLauncher: Bool
  private let state: Mutex<State>

  /// Starts `/bin/sh -c command` in `directory`, with nothing to read; throws ``SystemError``.
  ///
  /// - Parameters:
  ///   - environment: Variables beside those of the tool; nil removes one.
  ///   - launcher: The words before those of the shell.
  init(
    command: String, directory: String, environment: [String: String?] = [:], launcher: [String] = []
  ) throws {
    let (id, output) = try Self.unreaped.withLock { unreaped in
      let ends = try Descriptor.pipe()
      defer { ends.writing.close() }
      do {
        let spawn = Spawn(output: ends.writing, directory: directory, environment: environment)
        let id = try spawn.process(arguments: CommandWords.words(of: command, launcher: launcher))
        unreaped.insert(id)
        return (id, ends.reading)
      } catch {
        ends.reading.close()
        throw error
      }
    }
    self.output = output
    hasLauncher = !launcher.isEmpty
    state = Mutex(State(id: id, hasLauncher: hasLauncher))
  }

  /// Sends a signal to the process group of the command; does nothing once the command has ended.
  ///
  /// SIGKILL reaches only the launcher, if there is one; see ``killRest()``.
  func send(_ signal: Int32) {
    state.withLock { state in
      guard state.id != nil else { return }
      // One whose time is up has failed, whatever else ends it.
      if state.timeout == nil { state.wasSignalled = true }
      state.signal(signal)
    }
  }

  /// Whether it has been sent a signal, for another reason than its time.
  var wasSignalled: Bool { state.withLock(\.wasSignalled) }

  /// Sends SIGTERM because the time is up, and returns whether it did; not if the command has ended or is about to, on
  /// account of a signal.
  func timeOut(after timeout: Duration) -> Bool {
    state.withLock { state in
      guard state.id != nil, !state.wasSignalled else { return false }
      state.timeout = timeout
      state.signal(SIGTERM)
      return true
    }
  }

  /// Kills a command that has not ended in time.
  func killLate() {
    state.withLock { $0.signal(SIGKILL) }
  }

  /// Kills what a killed launcher has left in its process group; also done when the launcher is reaped.
  ///
  /// A launcher may have a helper in its group that cleans up after it. If `srun` and its helper were killed at once,
  /// the job would run on to its end, and hold its place in the cluster for ever. If `srun` alone is killed, the helper
  /// sees that, ends the job, and exits; it holds the output until then.
  func killRest() {
    state.withLock { $0.killRest() }
  }

  /// How the command has ended, or nil if its process still runs; not to be called again after that.
  ///
  /// Reaps the process under the lock. The number of an unreaped process, also as a process group, is not reused.
  /// Without the lock, ``send(_:)`` on another thread could read the number before the process is reaped, and then
  /// signal an unrelated process.
  func reapIfExited() -> CommandEnding? {
    state.withLock { state in
      guard let id = state.id else { preconditionFailure("a command is reaped once") }
      state.killRest()
      var status: Int32 = 0
      let result = Self.unreaped.withLock { unreaped in
        let result = waitpid(id, &status, WNOHANG)
        if result != 0 { unreaped.remove(id) }
        return result
      }
      guard result != 0 else { return nil }
      state.id = nil
      guard result == id else { return .notStarted(SystemError()) }
      return state.timeout.map(CommandEnding.timedOut) ?? CommandEnding(waitStatus: status)
    }
  }

  #if os(Linux)
    /// Reaps the processes that have exited and are no command's, which only the first process of a system gets.
    ///
    /// The system names the same one until that is reaped. So those behind a command have to wait for it: one that has
    /// exited, and whose output is still held open.
    static func reapOthers() {
      unreaped.withLock { unreaped in
        while let id = ChildProcess.exited, !unreaped.contains(id) { waitpid(id, nil, WNOHANG) }
      }
    }
  #endif
}

extension CommandProcess.State {
  /// Sends a signal to the process group, unless the process has been reaped.
  fileprivate mutating func signal(_ signal: Int32) {
    guard let id else { return }
    guard signal != SIGKILL || !hasLauncher else {
      kill(id, SIGKILL)
      hasKilledLauncher = true
      return
    }
    kill(-id, signal)
    // A stopped process does not handle signals.
    kill(-id, SIGCONT)
  }

  fileprivate mutating func killRest() {
    guard let id, hasKilledLauncher else { return }
    kill(-id, SIGKILL)
    hasKilledLauncher = false
  }
}
