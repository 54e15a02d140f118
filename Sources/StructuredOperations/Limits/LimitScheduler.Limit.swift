extension LimitScheduler {
  /// A limit, and its line: a queue of demands for each owner, and the first demand of each.
  ///
  /// As long as few owners stand in line, all of their first demands are looked at. Where they are more the line is *crowded*: then
  /// these are in a heap, too, and an index tells where each owner is.
  struct Limit: Sendable {
    var count: Int
    var used = 0
    /// How many demands need it.
    var demandCount = 0
    /// Whether it goes away with the last of these.
    var isAbandoned = false
    /// A line with more owners than these is crowded, until it has half as many.
    private let fewOwners: Int
    private(set) var isCrowded = false
    /// Demands that wait until this limit, or another one that they need, is raised.
    var parked: Set<DemandID> = []
    /// The first demand in line of each owner that has any, in no particular order.
    private(set) var firsts: [First] = []
    /// The lines of these owners.
    private var lines: [Line] = []
    /// Where each owner is, where the line is crowded.
    private var places: [OwnerID: Int] = [:]
    /// The first demands of owners, where the line is crowded.
    ///
    /// Those that were taken out may be missing, and some may be there that have left, or are not the first of their owners any more.
    private var crowd = BinaryHeap<First>()

    /// The first demand in line of an owner.
    struct First: Comparable, Sendable {
      let owner: OwnerID
      fileprivate(set) var item: Item

      static func < (one: First, other: First) -> Bool { one.item < other.item }
    }

    init(count: Int, fewOwners: Int) {
      self.count = count
      self.fewOwners = fewOwners
    }

    /// Below 0 where the count was lowered below what is in use.
    var room: Int { count - used }

    var hasLine: Bool { !firsts.isEmpty }

    /// The demands in line; some that have left may be among them, and some more than once.
    var standing: [DemandID] { lines.flatMap { $0.items.map(\.demand) } }

    /// How many items are kept, of demands that have left, too; where the line is crowded, its first demands count twice.
    var itemCount: Int { lines.map(\.itemCount).reduce(crowd.count, +) }

    /// The first demand in line of an owner.
    func first(of owner: OwnerID) -> Item? { index(of: owner).map { firsts[$0].item } }

    mutating func insert(_ item: Item, of owner: OwnerID) {
      if let index = index(of: owner) {
        lines[index].insert(item)
        if item < firsts[index].item { firstChanged(at: index, to: item) }
      } else {
        append(First(owner: owner, item: item))
        lines[lines.endIndex - 1].insert(item)
      }
    }

    /// A demand has left the line.
    ///
    /// - Parameter demands: All that there are; those that have left do not stand in line.
    mutating func demandLeft(of owner: OwnerID, among demands: borrowing SlotMap<Demand>) {
      guard let index = index(of: owner) else {
        preconditionFailure("a demand left a line in which it did not stand")
      }
      lines[index].demandLeft(among: demands)
      if let first = lines[index].first {
        if first.demand != firsts[index].item.demand { firstChanged(at: index, to: first) }
      } else {
        remove(at: index)
      }
    }

    private mutating func firstChanged(at index: Int, to item: Item) {
      firsts[index].item = item
      putIntoCrowd(index)
    }

    // MARK: Owners

    private func index(of owner: OwnerID) -> Int? {
      isCrowded ? places[owner] : firsts.firstIndex { $0.owner == owner }
    }

    private mutating func append(_ first: First) {
      firsts.append(first)
      lines.append(Line())
      if isCrowded {
        places[first.owner] = firsts.endIndex - 1
        putIntoCrowd(firsts.endIndex - 1)
      } else if firsts.count > fewOwners {
        isCrowded = true
        for (index, first) in firsts.enumerated() { places[first.owner] = index }
        rebuildCrowd()
      }
    }

    /// The last owner takes the place.
    private mutating func remove(at index: Int) {
      let (owner, last, lastLine) = (firsts[index].owner, firsts.removeLast(), lines.removeLast())
      if index < firsts.endIndex { (firsts[index], lines[index]) = (last, lastLine) }
      guard isCrowded else { return }
      places[last.owner] = index
      places[owner] = nil
      if firsts.count > fewOwners / 2 { return rebuildCrowdIfStale() }
      isCrowded = false
      places = [:]
      crowd = BinaryHeap()
    }

    // MARK: Crowded lines

    /// The first demand of all owners but those that were taken out; nil if there is none.
    mutating func earliestInCrowd() -> First? {
      while let first = crowd.first {
        if self.first(of: first.owner)?.demand == first.item.demand { return first }
        _ = crowd.popFirst()
      }
      return nil
    }

    /// Takes ``earliestInCrowd()`` out until ``putBack(_:)``, until its owner has another first demand, or the heap is rebuilt.
    mutating func takeEarliestOut() { _ = crowd.popFirst() }

    /// An owner whose first demand was taken out has it count again.
    mutating func putBack(_ owner: OwnerID) { if let index = index(of: owner) { putIntoCrowd(index) } }

    private mutating func putIntoCrowd(_ index: Int) {
      guard isCrowded else { return }
      crowd.insert(firsts[index])
      rebuildCrowdIfStale()
    }

    private mutating func rebuildCrowdIfStale() { if crowd.count > 2 * firsts.count + 32 { rebuildCrowd() } }

    /// Those that were taken out are in it again, which does no harm.
    private mutating func rebuildCrowd() {
      crowd = BinaryHeap()
      for first in firsts { crowd.insert(first) }
    }
  }
}
