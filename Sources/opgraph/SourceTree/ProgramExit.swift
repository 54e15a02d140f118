import Foundation
import Synchronization

/// The only way out of the program, which removes the temporary directory.
///
/// Example: the run has ended, and its thread removes the directory; meanwhile the main thread gets the signal that ends
/// the program at once. Without the lock it would exit, and what has not been removed yet would stay.
final class ProgramExit: Sendable {
  private let scratch = Mutex<ScratchDirectory?>(nil)

  /// Makes the directory that is removed on exit, and returns its path; throws ``InputError``.
  func makeScratchDirectory() throws -> String {
    try scratch.withLock { scratch in
      precondition(scratch == nil, "the program has one temporary directory")
      let directory = try ScratchDirectory()
      scratch = directory
      return directory.path
    }
  }

  /// Exits, and keeps other threads that want to exit waiting until then.
  func exit(_ status: Int32) -> Never {
    scratch.withLock { scratch in
      scratch?.remove()
      Foundation.exit(status)
    }
  }
}
