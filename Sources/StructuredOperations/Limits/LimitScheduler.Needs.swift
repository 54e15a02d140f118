extension LimitScheduler {
  /// How much of a limit an operation needs.
  struct Need: Equatable, Sendable {
    let limit: LimitID
    let cost: Int
  }

  /// What an operation needs: each limit once.
  ///
  /// One limit, which is what most need, takes no memory of its own, and no reference is counted for it.
  struct Needs: RandomAccessCollection, Sendable {
    private enum Content: Sendable {
      case one(Need)
      /// Any number but one.
      case list([Need])
    }

    private let content: Content

    init() { content = .list([]) }

    init(_ need: Need) { content = .one(need) }

    init(_ needs: [Need]) { content = needs.count == 1 ? .one(needs[0]) : .list(needs) }

    var startIndex: Int { 0 }

    var endIndex: Int {
      switch content {
      case .one: 1
      case .list(let list): list.count
      }
    }

    subscript(position: Int) -> Need {
      switch content {
      case .one(let need): need
      case .list(let list): list[position]
      }
    }
  }
}
