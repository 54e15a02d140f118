/// The observers of one operation or queue; lives under the lock of what they observe.
struct ObserverList<Element: Sendable>: Sendable {
  typealias Channel = ChangeChannel<Element>

  /// Some may have been closed by their observers.
  private var channels: [Channel] = []
  /// How long the list may become before the closed ones are looked for: so that costs O(1) an observer.
  private var sweepLength = 8

  var isEmpty: Bool { channels.isEmpty }

  mutating func append(_ channel: Channel) {
    if channels.count >= sweepLength {
      channels.removeAll(where: \.isClosed)
      sweepLength = max(8, 2 * channels.count)
    }
    channels.append(channel)
  }

  /// - Parameter isLast: Whether this ends every observer's sequence.
  /// - Returns: The readers to resume, once the caller has left its lock.
  mutating func offer(_ element: Element, isLast: Bool) -> [Channel.Reader] {
    var readers: [Channel.Reader] = []
    var hasClosed = false
    for channel in channels {
      if let woken = channel.offer(element, isLast: isLast) { readers += woken } else { hasClosed = true }
    }
    if isLast { channels = [] } else if hasClosed { channels.removeAll(where: \.isClosed) }
    return readers
  }

  /// Empties the list, and returns the channels so that they can be ended once the caller has left its lock.
  mutating func removeAll() -> [Channel] { channels.removeEach() }
}
