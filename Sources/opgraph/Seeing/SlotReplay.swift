import StructuredOperations

/// Runs the commands of a graph again with another number of slots, in a time of its own.
///
/// Each takes as long as it took: that they slow each other down is not foreseen. As in a run, an operation begins once
/// its dependencies have ended, when there is a slot and a place in each of its pools; those of a higher priority go
/// first, and of the same the one that comes first in the graph. Between its attempts it has neither slot nor place.
///
/// The history of a journal could tell that too, but it does not know of pools, and noting it would cost every run.
struct SlotReplay {
  private struct End {
    let time: Duration
    let operation: Int
    /// Whether pauses are to follow.
    let isOfWork: Bool
  }

  /// Where an operation comes among others.
  private struct Place: Comparable {
    let priority: QueuePriority
    let operation: Int

    static func < (one: Place, other: Place) -> Bool {
      one.priority == other.priority ? one.operation < other.operation : one.priority > other.priority
    }
  }

  private let graph: TimedGraph
  private var freeSlots: Int
  private var freePlaces: [Int]
  private var missing: [Int]
  private var ready = BinaryHeap<Place>()
  /// Those that lack a place, by pool.
  private var lines: [BinaryHeap<Place>]
  /// In falling order; no more than there are slots and pauses.
  private var ends: [End] = []
  private var now = Duration.zero

  /// O(n (log(n) + width + number of pauses)) at most.
  static func duration(of graph: TimedGraph, width: Int) -> Duration {
    var replay = SlotReplay(graph, width: width)
    replay.run()
    return replay.now
  }

  private init(_ graph: TimedGraph, width: Int) {
    self.graph = graph
    freeSlots = width
    freePlaces = graph.depths
    lines = Array(repeating: BinaryHeap(), count: graph.depths.count)
    missing = graph.nodes.map(\.after.count)
  }

  private mutating func run() {
    for number in missing.indices where missing[number] == 0 { becameReady(number) }
    begin()
    while let end = ends.popLast() {
      now = end.time
      if end.isOfWork { giveBack(end.operation) }
      let pauses = graph.times.pauses(of: end.operation)
      if end.isOfWork, pauses > .zero {
        insert(End(time: now + pauses, operation: end.operation, isOfWork: false))
      } else {
        finish(end.operation)
      }
      begin()
    }
  }

  private mutating func becameReady(_ number: Int) {
    ready.insert(Place(priority: graph.nodes[number].priority, operation: number))
  }

  /// Begins what can begin.
  private mutating func begin() {
    while freeSlots > 0, let place = ready.popFirst() {
      let number = place.operation
      let pools = graph.pools(of: number)
      if let pool = pools.first(where: { freePlaces[$0] == 0 }) {
        lines[pool].insert(place)
        // The place that it leaves in another pool may be enough for the next one there.
        for pool in pools where freePlaces[pool] > 0 { callNext(of: pool) }
      } else {
        freeSlots -= 1
        for pool in pools { freePlaces[pool] -= 1 }
        insert(End(time: now + graph.times.work[number], operation: number, isOfWork: true))
      }
    }
  }

  private mutating func callNext(of pool: Int) {
    if let place = lines[pool].popFirst() { ready.insert(place) }
  }

  private mutating func giveBack(_ number: Int) {
    freeSlots += 1
    for pool in graph.pools(of: number) {
      freePlaces[pool] += 1
      callNext(of: pool)
    }
  }

  private mutating func finish(_ number: Int) {
    for dependent in graph.dependents(of: number) {
      missing[dependent] -= 1
      if missing[dependent] == 0 { becameReady(dependent) }
    }
  }

  private mutating func insert(_ end: End) {
    ends.insert(end, at: ends.firstIndex { $0.time <= end.time } ?? ends.count)
  }
}
