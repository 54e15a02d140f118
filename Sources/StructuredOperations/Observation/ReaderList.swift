/// The channels of those who read the states of one operation or queue; lives under the lock of what they read.
struct ReaderList<Element: Sendable>: InitializableEmpty, Sendable {
  typealias Channel = ChangeChannel<Element>

  /// May contain channels that their readers have closed.
  private(set) var channels: [Channel] = []
  /// The length at which closed channels are removed; it grows with the list, so appending is amortised O(1).
  private var sweepLength = 8

  var isEmpty: Bool { channels.isEmpty }

  mutating func append(_ channel: Channel) {
    if channels.count >= sweepLength {
      channels.removeAll(where: \.isClosed)
      sweepLength = max(8, 2 * channels.count)
    }
    channels.append(channel)
  }

  /// - Parameter isLast: Whether this element ends every reader's sequence.
  /// - Returns: The readers to resume once the caller has released its lock.
  mutating func offer(_ element: Element, isLast: Bool) -> [Channel.Reader] {
    var readers: [Channel.Reader] = []
    var hasClosed = false
    for channel in channels {
      guard let waiting = channel.offer(element, isLast: isLast) else {
        hasClosed = true
        continue
      }
      waiting.forEach { readers.append($0) }
    }
    if isLast { channels = [] } else if hasClosed { channels.removeAll(where: \.isClosed) }
    return readers
  }

  /// - Returns: The channels, to be ended once the caller has released its lock.
  mutating func removeAll() -> [Channel] { channels.removeEach() }
}
