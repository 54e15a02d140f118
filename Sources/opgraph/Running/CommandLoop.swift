import Foundation
import Synchronization

/// Reads the outputs of all running commands, notices their exits, and hands on signals, all on one thread.
///
/// It has to be a thread that exists before the first command: if each command had its own, the system could refuse to
/// make it once the command runs, and nobody would notice the end of that command.
final class CommandLoop: Sendable {
  private let signals: SignalPipe
  /// Commands that the thread does not know of yet.
  private let added = Mutex<[WatchedCommands.Command]>([])

  /// The signals have to include SIGCHLD.
  init(signals: SignalPipe) {
    self.signals = signals
  }

  /// Collects the output of a command.
  ///
  /// - Parameter handler: Called on the loop's thread when the command has exited and no process has its output open.
  func watch(
    _ process: CommandProcess, output: CommandOutput, whenEnded handler: @escaping @Sendable (CommandResult) -> Void
  ) {
    added.withLock { $0.append(WatchedCommands.Command(process: process, output: output, whenEnded: handler)) }
    signals.wake()
  }

  /// Runs the loop on the calling thread; calls `onSignal` with each signal other than SIGCHLD.
  func run(onSignal: (Int32) -> Void) -> Never {
    var commands = WatchedCommands()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var requests = ([signals.reading] + commands.writing.map(\.process.output)).map {
        pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&requests, nfds_t(requests.count), -1) > 0 else {
        guard [EINTR, EAGAIN, ENOMEM].contains(errno) else { preconditionFailure("poll: \(SystemError())") }
        continue
      }
      let numbers = requests[0].revents == 0 ? [] : signals.received()
      for number in numbers where number != SIGCHLD { onSignal(number) }
      commands.read(where: requests.dropFirst().map { $0.revents != 0 }, buffer: &buffer)
      // Also those whose output has just ended: their SIGCHLD may have come before.
      commands.finishThoseThatHaveExited()
      commands.writing += added.withLock { exchange(&$0, with: []) }
    }
  }
}
