import Foundation
import Synchronization

/// A running shell command, in its own process group.
///
/// Foundation's `Process` is not used, because signals have to reach the whole group and not only the shell.
final class CommandProcess: Sendable {
  private struct State {
    /// Nil once the process has been reaped, after which the system may reuse the number.
    var id: pid_t?
    var wasSignalled = false
  }

  /// Held from the creation of a pipe until the process has been started.
  ///
  /// A process started by another thread in between would inherit the pipe, and its reader would not see the end of the
  /// output until that process exits too.
  private static let starting = Mutex(())

  private let started = ContinuousClock.now
  private let output: Descriptor
  private let state: Mutex<State>

  /// Starts `/bin/sh -c command` in `directory`, with nothing to read; throws ``SystemError``.
  init(command: String, directory: String) throws {
    let (id, output) = try Self.starting.withLock { _ in
      let ends = try Descriptor.pipe()
      defer { ends.writing.close() }
      do {
        let spawn = Spawn(output: ends.writing, directory: directory)
        return (try spawn.process(arguments: ["/bin/sh", "-c", "--", command]), ends.reading)
      } catch {
        ends.reading.close()
        throw error
      }
    }
    self.output = output
    state = Mutex(State(id: id))
  }

  /// Sends a signal to the process group of the command; does nothing once the command has ended.
  func send(_ signal: Int32) {
    state.withLock { state in
      guard let id = state.id else { return }
      state.wasSignalled = true
      kill(-id, signal)
      // A stopped process does not handle signals.
      kill(-id, SIGCONT)
    }
  }

  /// Calls `handler` when the command has exited and no process has its output open.
  ///
  /// Reads and waits on a separate thread for each command, because both block. So no command is delayed by a full
  /// pipe, and no thread of the cooperative pool is blocked.
  func whenEnded(_ handler: @escaping @Sendable (CommandResult) -> Void) {
    Thread.detachNewThread {
      // If the output cannot be read, the exit status is still reported.
      let bytes = (try? self.output.readToEnd()) ?? []
      self.output.close()
      let ending = self.reap()
      handler(
        CommandResult(
          ending: ending, wasSignalled: self.state.withLock(\.wasSignalled), duration: self.started.duration(to: .now),
          output: bytes))
    }
  }

  /// Waits for the exit without reaping the process, then reaps it under the lock.
  ///
  /// The number of an unreaped process, also as a process group, is not reused. Without the lock, ``send(_:)`` on
  /// another thread could read the number before the process is reaped, and then signal an unrelated process.
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
