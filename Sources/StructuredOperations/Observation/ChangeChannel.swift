/// Delivers the snapshots of an operation or a queue to one reader.
///
/// The sender calls ``offer(_:isLast:)`` under its own lock, so that elements arrive in the order of the changes, and
/// resumes the readers after it has released that lock. Only the reader closes a channel; the sender drops closed
/// channels later, see ``ReaderList``.
final class ChangeChannel<Element: Sendable>: Sendable {
  typealias Reader = UnsafeContinuation<Void, Never>

  private let buffer: Guarded<ChangeBuffer<Element, Reader>>

  init(first: Element?, isEnded: Bool, retention: ChangeBuffer<Element, Reader>.Retention) {
    buffer = Guarded(ChangeBuffer(first: first, isEnded: isEnded, retention: retention))
  }

  var isClosed: Bool { buffer.withLock { $0.isClosed } }

  /// - Returns: The readers to resume once the caller holds no lock; nil if the channel is closed.
  func offer(_ element: Element, isLast: Bool) -> ShortList<Reader>? {
    buffer.withLock { $0.isClosed ? nil : $0.offer(element, isLast: isLast) }
  }

  func end() {
    buffer.withLock { $0.end() }.forEach { $0.resume() }
  }

  // As in `StateSequence.Iterator`; called when a sequence is freed, by its generic code.
  #if compiler(>=6.3)
    @specialized(where Element == OperationSnapshot)
    @specialized(where Element == QueueSnapshot)
  #endif
  func close() {
    buffer.withLock { $0.close() }.forEach { $0.resume() }
  }

  /// The next element, or nil at the end; suspends until there is one.
  ///
  /// Cancelling the reading task closes the channel to new elements.
  func next() async -> Element? {
    while true {
      // Not only where it waits: a reader that takes its time may find an element each time.
      if Task.isCancelled { cancel() }
      switch buffer.withLock({ $0.take() }) {
      case .deliver(let element): return element
      case .finish: return nil
      case .wait:
        await withTaskCancellationHandler {
          await suspendTask { reader in buffer.withLock { $0.park(reader) } }
        } onCancel: {
          cancel()
        }
      }
    }
  }

  private func cancel() {
    buffer.withLock { $0.cancel() }.forEach { $0.resume() }
  }
}
