import Synchronization

/// The only way out of the program.
///
/// Example: the run has ended, and its thread exits; meanwhile the main thread gets the signal that ends the program at
/// once. Two calls of `exit` at the same time are undefined in C, so that the second one waits here for the end.
final class ProgramExit: Sendable {
  private let exiting = Mutex(())

  /// Exits, and keeps other threads that want to exit waiting until then; leaves no temporary file.
  func exit(_ status: Int32) -> Never {
    exiting.withLock { _ in TemporaryFiles.removeAll { systemExit(status) } }
  }

  /// Exits as if the signal had not been caught.
  ///
  /// Example: Ctrl-C ends a script's opgraph, and the shell ends the script as well, since it sees that a signal did it. An
  /// exit with any status would have the script go on.
  func exit(bySignal number: Int32) -> Never {
    exiting.withLock { _ in
      TemporaryFiles.removeAll {
        // What ends a program and leaves a core file is not for a program that ends in order.
        if number != SIGQUIT && number != SIGXCPU { endByDefault(of: number) }
        // The first process of a container is not ended by the default.
        systemExit(128 + number)
      }
    }
  }

  private func endByDefault(of number: Int32) {
    signal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(number)
  }
}
