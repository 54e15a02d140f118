import Dispatch
import Synchronization

/// The time from the making of the probe until its body begins, for a thread that waits for that.
final class Probe: Sendable {
  private let stopwatch = Stopwatch()
  private let latency = Mutex(0.0)
  private let begin = DispatchSemaphore(value: 0)

  /// The body has begun.
  func hasBegun() {
    let nanoseconds = stopwatch.nanoseconds
    latency.withLock { $0 = nanoseconds }
    begin.signal()
  }

  /// Blocks the calling thread until the body has begun.
  func wait() -> Double {
    begin.wait()
    return latency.withLock { $0 }
  }
}
