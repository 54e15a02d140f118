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
}
