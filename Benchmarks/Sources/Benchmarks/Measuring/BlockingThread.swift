import Foundation

/// A thread for work that blocks: Foundation's and Dispatch's ways of waiting hold the thread that waits.
///
/// Threads of the cooperative pool are not to be held, and one that is would be missing from what is measured.
enum BlockingThread {
  /// Runs a piece of work on a new thread.
  ///
  /// The thread is made before the work begins, so a stopwatch in the work does not count that.
  static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: work()) }.start()
    }
  }
}
