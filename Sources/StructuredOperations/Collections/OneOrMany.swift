/// A list that mostly has one element, for which it takes no memory of its own, and counts no reference.
///
/// Smaller than a ``ShortList``, and slower to change.
enum OneOrMany<Element> {
  case one(Element)
  /// Any number but one.
  case list([Element])

  init() { self = .list([]) }

  init(_ elements: [Element]) { self = elements.count == 1 ? .one(elements[0]) : .list(elements) }
}

extension OneOrMany: RandomAccessCollection {
  var startIndex: Int { 0 }

  var endIndex: Int {
    switch self {
    case .one: 1
    case .list(let list): list.count
    }
  }

  subscript(position: Int) -> Element {
    switch self {
    case .one(let element): element
    case .list(let list): list[position]
    }
  }
}

extension OneOrMany: Sendable where Element: Sendable {}

extension OneOrMany: Equatable where Element: Equatable {}
