/// Decides what one observer gets next, and when its reader has to wait; holds readers, wakes none.
struct ChangeBuffer<Element: Sendable, Reader: Sendable>: Sendable {
  /// What becomes of elements that the reader has not taken when another one comes.
  enum Retention: Sendable {
    /// All are kept, in order.
    case all
    /// Only the latest is kept.
    case latest
  }

  private let retention: Retention
  private var elements = FIFOQueue<Element>()
  private var readers: [Reader] = []
  /// Whether no further element comes.
  private var isEnded = false
  /// Whether nobody reads any more.
  private(set) var isClosed = false

  init(first: Element, isEnded: Bool, retention: Retention) {
    self.retention = retention
    self.isEnded = isEnded
    elements.append(first)
  }

  /// - Returns: The readers to wake.
  mutating func offer(_ element: Element, isLast: Bool) -> [Reader] {
    if isClosed || isEnded { return [] }
    if retention == .latest { _ = elements.popFirst() }
    elements.append(element)
    isEnded = isLast
    return readers.removeEach()
  }

  /// No further element comes.
  ///
  /// - Returns: The readers to wake.
  mutating func end() -> [Reader] {
    isEnded = true
    return readers.removeEach()
  }

  /// Nobody reads any more, or the reader was cancelled: what is left is dropped.
  ///
  /// - Returns: The readers to wake.
  mutating func close() -> [Reader] {
    isClosed = true
    elements = FIFOQueue()
    return end()
  }

  /// What the caller of ``take()`` does next.
  enum TakeAction: Sendable {
    case deliver(Element)
    case finish
    case wait
  }

  mutating func take() -> TakeAction {
    if let element = elements.popFirst() { return .deliver(element) }
    return isEnded ? .finish : .wait
  }

  /// - Returns: Whether the reader has to wait; false where there is something to take by now.
  mutating func park(_ reader: Reader) -> Bool {
    guard elements.isEmpty, !isEnded else { return false }
    readers.append(reader)
    return true
  }
}

extension Array {
  /// Empties the array, and returns what was in it.
  mutating func removeEach() -> [Element] {
    let elements = self
    self = []
    return elements
  }
}
