import StructuredOperations

/// What a replay has to do, drawn from a history: bodies as pieces of work with waits between them, and what they need.
///
/// Operations are indices here, in the order of addition.
struct ReplayPlan: Sendable {
  /// What a body waits for.
  enum Wait: Sendable {
    /// The ends of operations, of at least one.
    case operations([Int])
    /// Something that the history does not tell: as long as in the recording.
    case time(Duration)
  }

  /// An operation that a body adds, so long after the beginning of its work or its wait.
  struct Addition: Sendable {
    let delay: Duration
    let operation: Int
  }

  /// Work of a body, and the wait that follows.
  struct Piece: Sendable {
    var work: Duration
    var additions: [Addition] = []
    /// Nil for the last piece.
    var wait: Wait?
    var additionsInWait: [Addition] = []
  }

  /// When an operation is added.
  enum Release: Sendable {
    /// So long after the first addition of all.
    case time(Duration)
    /// By a body, in the piece of that index.
    case body(Int, piece: Int)
  }

  struct Item: Sendable {
    /// Nil where it was started by hand, and so takes no slot.
    let queue: Int?
    let priority: QueuePriority
    var release: Release
    /// Those which it has to wait for.
    var dependencies: [Int]
    /// How long after its addition it is ready at the earliest.
    var delay = Duration.zero
    /// Empty for one that did not run.
    var pieces: [Piece] = []
  }

  /// Nil for operations that had neither begun nor finished: there is nothing to replay.
  private(set) var items: [Item?] = []
  private(set) var queueCount = 0

  /// O(n log n) in the number of operations, spans and dependencies.
  init(_ history: OperationHistory) {
    let entries = history.operations
    let indices = Dictionary(entries.indices.map { (entries[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    let start = history.start
    let waits = QueueWaits(entries, indices)
    var queues: [Int: Int] = [:]
    for entry in entries {
      var queue: Int?
      if entry.queueNumber != 0 {
        queue = queues[entry.queueNumber, default: queues.count]
        queues[entry.queueNumber] = queue
      }
      guard entry.hasBegun || entry.finishedAt != nil else {
        items.append(nil)
        continue
      }
      var item = Item(
        queue: queue, priority: entry.queuePriority, release: .time(entry.addedAt - start),
        dependencies: entry.dependencies.compactMap { indices[$0] })
      if entry.hasBegun {
        item.delay = Self.untoldDelay(entry)
        var ofQueues = waits.ofBody(items.count)
        item.pieces = Self.pieces(entry) { span, isLast in
          // Of a wait that has not ended it is not known which one would have ended it.
          guard let cause = span.cause else { return entry.finishedAt == nil && isLast ? [] : ofQueues.next(span) }
          guard let index = indices[cause], let end = entries[index].finishedAt, end <= span.end else { return [] }
          return [index]
        }
      } else {
        Self.planLeaving(entry, &item) { entries[$0].finishedAt }
      }
      items.append(item)
    }
    queueCount = queues.count
    placeAdditions(entries, indices)
  }

  /// Where an operation was blocked by something that the history does not have, that took as long as in the recording.
  private static func untoldDelay(_ entry: OperationHistory.Entry) -> Duration {
    guard let last = entry.spans.last(where: { $0.kind == .blocked }), last.cause == nil else { return .zero }
    return last.end - entry.addedAt
  }

  /// - Parameter awaited: What a wait was for, as far as the history has it; called for one wait after the other.
  private static func pieces(
    _ entry: OperationHistory.Entry, awaited: (_ span: OperationHistory.Span, _ isLast: Bool) -> [Int]
  ) -> [Piece] {
    var pieces: [Piece] = []
    for (number, span) in entry.spans.enumerated() {
      switch span.kind {
      case .blocked, .ready: break
      case .executing: pieces.append(Piece(work: span.duration))
      case .waiting:
        guard !pieces.isEmpty else { break }
        let operations = awaited(span, number == entry.spans.count - 1)
        pieces[pieces.count - 1].wait = operations.isEmpty ? .time(span.duration) : .operations(operations)
      }
    }
    // A body that had not come back from its wait.
    if pieces.last?.wait != nil { pieces.append(Piece(work: .zero)) }
    return pieces
  }

  /// One that did not run leaves when the dependency finishes after which it left; so long after its addition as in the
  /// recording, where it was cancelled.
  private static func planLeaving(
    _ entry: OperationHistory.Entry, _ item: inout Item, finishedAt: (Int) -> Duration?
  ) {
    let end = entry.finishedAt ?? entry.addedAt
    var last: (index: Int, end: Duration)?
    if case .failed = entry.outcome {
      for index in item.dependencies {
        if let time = finishedAt(index), time <= end, time >= last?.end ?? .zero { last = (index, time) }
      }
    }
    item.dependencies = last.map { [$0.index] } ?? []
    item.delay = last == nil ? end - entry.addedAt : .zero
  }

  /// Lets bodies add operations where they did so in the recording; without such a place the recorded time stays.
  private mutating func placeAdditions(_ entries: [OperationHistory.Entry], _ indices: [Int: Int]) {
    // The next place of each body: additions come in the order of time.
    var places: [Int: Place] = [:]
    for (index, entry) in entries.enumerated() {
      guard let parent = entry.parent.flatMap({ indices[$0] }), parent != index, items[index] != nil else { continue }
      var place = places[parent, default: Place(entries[parent].spans)]
      place.move(to: entry, entries[parent].spans)
      places[parent] = place
      guard place.piece >= 0, place.span < entries[parent].spans.count else { continue }
      let span = entries[parent].spans[place.span]
      guard span.start <= entry.addedAt else { continue }
      let addition = Addition(delay: entry.addedAt - span.start, operation: index)
      if span.kind == .executing {
        items[parent]?.pieces[place.piece].additions.append(addition)
      } else {
        items[parent]?.pieces[place.piece].additionsInWait.append(addition)
      }
      items[index]?.release = .body(parent, piece: place.piece)
    }
  }

  /// A span of a body, and the piece of which it is the work or the wait; -1 ahead of the first one.
  private struct Place {
    var span = 0
    var piece: Int

    init(_ spans: [OperationHistory.Span]) { piece = spans.first?.kind == .executing ? 0 : -1 }

    /// To the first span that ends at the time of an addition or later.
    ///
    /// Where work and a wait meet at that time, it is the work: what is added at the very end of work comes ahead of
    /// the wait, at the very end of a wait after it. Unless the wait is for what is added, and so ends by it.
    mutating func move(to addition: OperationHistory.Entry, _ spans: [OperationHistory.Span]) {
      let time = addition.addedAt
      while span < spans.count, piece < 0 || spans[span].end < time { advance(spans) }
      if span < spans.count, spans[span].kind == .waiting, spans[span].cause == addition.id { return }
      let next = span + 1
      guard next < spans.count, spans[span].kind == .waiting, spans[span].end == time, spans[next].kind == .executing
      else { return }
      advance(spans)
    }

    private mutating func advance(_ spans: [OperationHistory.Span]) {
      span += 1
      if span < spans.count, spans[span].kind == .executing { piece += 1 }
    }
  }
}
