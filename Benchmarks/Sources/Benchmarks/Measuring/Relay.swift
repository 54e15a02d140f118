import StructuredOperations
import Synchronization

/// Operations of the highest priority, each of which adds the next: shows for how long a queue begins nothing.
///
/// They need a slot of the queue, which they keep while the relay goes on: whatever else is ready comes after them.
final class Relay: Sendable {
  private struct State: Sendable {
    var lastStart = Stopwatch()
    var worst = 0.0
    var isEnding = false
  }

  private let queue: AsyncOperationQueue
  private let state = Mutex(State())
  private let ends: AsyncStream<Void>.Continuation

  private init(queue: AsyncOperationQueue, ends: AsyncStream<Void>.Continuation) {
    self.queue = queue
    self.ends = ends
  }

  /// The longest time between two starts during each of several pieces of work, in nanoseconds.
  ///
  /// The time from the beginning of a work to the next start counts, too.
  ///
  /// - Parameter start: Called once the first operation of the relay is in the queue: lets it have its slot.
  static func worstGaps(
    in queue: AsyncOperationQueue,
    start: () async -> Void,
    during works: [() async -> Void]
  ) async -> [Double] {
    let (end, ends) = AsyncStream.makeStream(of: Void.self)
    let relay = Relay(queue: queue, ends: ends)
    let first = await relay.addNext()
    await start()
    await first.waitUntilFinished()
    var gaps: [Double] = []
    for work in works {
      relay.state.withLock { $0 = State() }
      await work()
      gaps.append(relay.state.withLock { max($0.worst, $0.lastStart.nanoseconds) })
    }
    relay.state.withLock { $0.isEnding = true }
    for await _ in end {}
    return gaps
  }

  @discardableResult
  private func addNext() async -> AsyncOperation<Void> {
    let operation = AsyncOperation(queuePriority: .veryHigh, start: { [self] in await passOn() })
    await queue.add(operation)
    return operation
  }

  private func passOn() async {
    let isEnding = state.withLock { state in
      state.worst = max(state.worst, state.lastStart.nanoseconds)
      state.lastStart = Stopwatch()
      return state.isEnding
    }
    if isEnding { ends.finish() } else { await addNext() }
  }
}
