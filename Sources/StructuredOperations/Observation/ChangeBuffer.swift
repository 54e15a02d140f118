/// The pure part of a ``ChangeChannel``: stores elements and waiting readers, and resumes nothing.
struct ChangeBuffer<Element: Sendable, Reader: Sendable>: Sendable {
  /// What happens to unread elements when a new one is offered.
  enum Retention: Sendable {
    case all
    case latest
  }

  private let retention: Retention
  private var elements = FIFOQueue<Element>()
  private var readers = ShortList<Reader>()
  /// Whether no further element will be offered.
  private var isEnded = false
  /// Whether it was closed, since nobody reads any more.
  private(set) var isClosed = false

  /// - Parameter first: Nil where the reader waits for the first element, too.
  init(first: Element?, isEnded: Bool, retention: Retention) {
    self.retention = retention
    self.isEnded = isEnded
    if let first { elements.append(first) }
  }

  /// - Returns: The readers to resume.
  mutating func offer(_ element: Element, isLast: Bool) -> ShortList<Reader> {
    if isClosed || isEnded { return ShortList() }
    if retention == .latest { _ = elements.popFirst() }
    elements.append(element)
    isEnded = isLast
    return readers.removeEach()
  }

  /// - Returns: The readers to resume.
  mutating func end() -> ShortList<Reader> {
    isEnded = true
    return readers.removeEach()
  }

  /// Drops unread elements and accepts no more.
  ///
  /// - Returns: The readers to resume.
  mutating func close() -> ShortList<Reader> {
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

  /// - Returns: Whether the reader has to wait; false if an element or the end has come since its last ``take()``.
  mutating func park(_ reader: Reader) -> Bool {
    guard elements.isEmpty, !isEnded else { return false }
    readers.append(reader)
    return true
  }
}
