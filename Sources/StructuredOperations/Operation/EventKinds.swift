/// The kinds of the events of one change, in the order in which they are told.
struct EventKinds: Equatable, ExpressibleByArrayLiteral, Sendable {
  private var places: UInt8 = 0

  init(arrayLiteral kinds: OperationEvent.Kind...) { for kind in kinds { insert(kind) } }

  var isEmpty: Bool { places == 0 }

  /// Whether the change has an effect only when they have been delivered.
  var areAwaited: Bool { contains(.started) || contains(.finished) || contains(.waitBegan) || contains(.waitEnded) }

  func contains(_ kind: OperationEvent.Kind) -> Bool { places & 1 << kind.place != 0 }

  mutating func insert(_ kind: OperationEvent.Kind) { places |= 1 << kind.place }
}

extension EventKinds: Sequence {
  struct Iterator: IteratorProtocol {
    fileprivate var places: UInt8

    mutating func next() -> OperationEvent.Kind? {
      if places == 0 { return nil }
      defer { places &= places - 1 }
      return OperationEvent.Kind(place: places.trailingZeroBitCount)
    }
  }

  func makeIterator() -> Iterator { Iterator(places: places) }
}

extension OperationEvent.Kind {
  /// Where it comes in the order.
  fileprivate var place: Int {
    switch self {
    case .added: 0
    case .blocked: 1
    case .ready: 2
    case .started: 3
    case .waitBegan: 4
    case .waitEnded: 5
    case .cancelled: 6
    case .finished: 7
    }
  }

  fileprivate init(place: Int) {
    switch place {
    case 0: self = .added
    case 1: self = .blocked
    case 2: self = .ready
    case 3: self = .started
    case 4: self = .waitBegan
    case 5: self = .waitEnded
    case 6: self = .cancelled
    case 7: self = .finished
    default: preconditionFailure("an event in place \(place)")
    }
  }
}
