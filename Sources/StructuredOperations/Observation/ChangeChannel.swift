/// The way of snapshots from an operation or a queue to one observer.
///
/// The sender offers under its own lock, so that no two changes swap places on the way, and wakes the readers when it
/// has left that lock. Closing a channel is the observer's business; the sender forgets closed ones from time to time.
final class ChangeChannel<Element: Sendable>: Sendable {
  typealias Reader = UnsafeContinuation<Void, Never>

  private let buffer: Guarded<ChangeBuffer<Element, Reader>>

  init(first: Element, isEnded: Bool, retention: ChangeBuffer<Element, Reader>.Retention) {
    buffer = Guarded(ChangeBuffer(first: first, isEnded: isEnded, retention: retention))
  }

  var isClosed: Bool { buffer.withLock { $0.isClosed } }

  /// - Returns: The readers to resume, once the caller holds no lock; nil where nobody reads any more.
  func offer(_ element: Element, isLast: Bool) -> [Reader]? {
    buffer.withLock { $0.isClosed ? nil : $0.offer(element, isLast: isLast) }
  }

  func end() {
    for reader in buffer.withLock({ $0.end() }) { reader.resume() }
  }

  func close() {
    for reader in buffer.withLock({ $0.close() }) { reader.resume() }
  }

  func next() async -> Element? {
    while true {
      switch buffer.withLock({ $0.take() }) {
      case .deliver(let element): return element
      case .finish: return nil
      case .wait: await waitForChange()
      }
    }
  }

  private func waitForChange() async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { reader in
        if !buffer.withLock({ $0.park(reader) }) { reader.resume() }
      }
    } onCancel: {
      close()
    }
  }
}
