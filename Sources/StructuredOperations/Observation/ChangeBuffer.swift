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
  /// Whether it accepts no more, since nobody reads what comes.
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

  /// Accepts no more elements, and keeps the unread ones.
  ///
  /// - Returns: The readers to resume.
  mutating func cancel() -> ShortList<Reader> {
    isClosed = true
    return end()
  }

  /// Drops unread elements and accepts no more.
  ///
  /// - Returns: The readers to resume.
  mutating func close() -> ShortList<Reader> {
    elements = FIFOQueue()
    return cancel()
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
