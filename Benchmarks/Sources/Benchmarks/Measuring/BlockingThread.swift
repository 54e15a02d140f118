import Foundation

/// A thread for work that blocks: waiting for Foundation's queue or for Dispatch blocks the calling thread.
///
/// Blocking a thread of the cooperative pool would take it away from the work that is measured.
enum BlockingThread {
  /// Runs a piece of work on a new thread.
  ///
  /// The thread is created before the work begins, so a stopwatch in the work does not include that.
  static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: work()) }.start()
    }
  }
}
