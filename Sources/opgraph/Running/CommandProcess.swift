import Foundation
import Synchronization

/// A shell command that was started, in a process group of its own.
///
/// Foundation's `Process` is not used: a signal must reach the whole group, not the shell alone.
final class CommandProcess: Sendable {
  private struct State {
    /// Nil once the process was reaped: the system may give the number to another one then.
    var id: pid_t?
    var wasSignalled = false
  }

  /// Held while a pipe is made and given to a process, so that no other process started meanwhile inherits the pipe
  /// and keeps its reader from seeing the end.
  private static let starting = Mutex(())

  private let started = ContinuousClock.now
  private let output: Descriptor
  private let state: Mutex<State>

  /// Starts `/bin/sh -c command` in `directory`, with nothing to read; throws ``SystemError``.
  init(command: String, directory: String) throws {
    // The shell changes the directory, because Swift does not see the spawn call's own way to do it on Linux. Two
    // shells, so that nothing in `command` can tell.
    let arguments = [
      "/bin/sh", "-c", #"cd -- "$1" || exit 126; exec /bin/sh -c -- "$2""#, "sh", directory, command,
    ]
    let (id, output) = try Self.starting.withLock { _ in
      let ends = try Descriptor.pipe()
      defer { ends.writing.close() }
      do {
        return (try Spawn(output: ends.writing).process(arguments: arguments), ends.reading)
      } catch {
        ends.reading.close()
        throw error
      }
    }
    self.output = output
    state = Mutex(State(id: id))
  }

  /// Sends the signal to the command and to all that it has started; does nothing once the command is over.
  func send(_ signal: Int32) {
    state.withLock { state in
      guard let id = state.id else { return }
      state.wasSignalled = true
      kill(-id, signal)
      // A stopped process would not notice.
      kill(-id, SIGCONT)
    }
  }

  /// Calls `handler` once the command has exited and nothing holds its output open any more.
  ///
  /// A thread of its own waits, since both the reading and the waiting block: as many commands as may run at once are
  /// read at once, none stops for a full pipe, and the cooperative pool is left alone.
  func whenEnded(_ handler: @escaping @Sendable (CommandResult) -> Void) {
    Thread.detachNewThread {
      // Where reading fails there is no more to be had than what the exit status says.
      let bytes = (try? self.output.readToEnd()) ?? []
      self.output.close()
      let ending = self.reap()
      handler(
        CommandResult(
          ending: ending, wasSignalled: self.state.withLock(\.wasSignalled), duration: self.started.duration(to: .now),
          output: bytes))
    }
  }

  /// Waits for the exit, but frees the number only under the lock, so that no signal can reach a stranger.
  ///
  /// While the shell is unreaped its number stays taken, also as that of the group of those that outlive it.
  private func reap() -> CommandEnding {
    guard let id = state.withLock(\.id) else { preconditionFailure("a command is reaped once") }
    var info = siginfo_t()
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    return state.withLock { state in
      state.id = nil
      var status: Int32 = 0
      guard waitpid(id, &status, 0) == id else { return .notStarted(SystemError()) }
      return CommandEnding(waitStatus: status)
    }
  }
}
