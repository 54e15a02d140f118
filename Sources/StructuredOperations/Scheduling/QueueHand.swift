/// What a queue has chosen ahead, so that child tasks whose operations finish go on with it without a turn of the queue.
///
/// It is dealt at the end of a turn in which all slots are taken, and taken back at the beginning of the next one.
/// Between the two each operation that finishes is exchanged for the next card, which keeps the slot. That holds only
/// as long as the queue would choose the same: not once something was posted that might come first.
struct QueueHand<Work: Sendable, Lane: Equatable & Sendable>: Sendable {
  typealias EntryID = Int
  typealias Card = QueueCard<Work>

  /// An operation finished, and another one took its slot.
  struct Exchange: Equatable, Sendable {
    let finished: EntryID
    let started: EntryID
  }

  /// What the next turn takes back.
  struct Rest: Sendable {
    let exchanges: [Exchange]
    /// What was not needed, the next one last.
    let cards: [Card]
    /// How many cards are worth while: more where all were needed, fewer where some were not.
    let nextSize: Int
  }

  /// The next one is the last.
  private var cards: [Card] = []
  /// What a child task has to be like for the cards; nil where there are none.
  private var lane: Lane?
  /// The place of the first card, which is needed last.
  private var last = QueuePlace(priority: .veryLow, rank: 0)
  /// Whether one that becomes ready is the first ready one.
  private var isVacant = false
  private var exchanges: [Exchange] = []
  /// Whether something may come before the cards.
  private var isDisrupted = false
  /// The highest priority of what was posted since the last turn and is no harm otherwise.
  private var highestPosted = QueuePriority.veryLow
  private var size = 1

  static var largestSize: Int { 64 }

  /// Whether the next turn has to take something back.
  var isOut: Bool { !cards.isEmpty || !exchanges.isEmpty }

  // MARK: Inputs

  /// - Parameters:
  ///   - cards: The next one last.
  ///   - last: The place of the first card, which is needed last.
  mutating func deal(_ cards: [Card], for lane: Lane, last: QueuePlace) {
    precondition(!isOut, "a hand was dealt while another was out")
    self.cards = cards
    exchanges.reserveCapacity(cards.count)
    self.lane = lane
    self.last = last
  }

  /// A turn has ended that left nothing ready.
  mutating func leaveVacant() { isVacant = true }

  /// Something was posted.
  ///
  /// - Parameter priority: That of operations that come after all others of theirs; nil for anything else.
  mutating func posted(_ priority: QueuePriority?) {
    isVacant = false
    if let priority { highestPosted = max(highestPosted, priority) } else { isDisrupted = true }
  }

  /// Something has become ready, of which a turn will hear.
  mutating func becameReady() { isVacant = false }

  /// Whether it makes no difference to the cards that something becomes ready, which the next turn will know.
  func isUnaffected(by place: QueuePlace) -> Bool { place.isBehind(last) }

  /// An operation has finished, for which alone another one of the same lane has waited.
  ///
  /// From time to time there has to be a turn all the same, which lets go of those that have finished.
  ///
  /// - Returns: Whether that one has its slot.
  mutating func handOver(_ finished: EntryID, to released: EntryID) -> Bool {
    guard isVacant, !isDisrupted, exchanges.count < Self.largestSize else { return false }
    exchanges.append(Exchange(finished: finished, started: released))
    return true
  }

  /// An operation has finished.
  ///
  /// - Returns: What its child task goes on with; nil where it has to take a turn.
  mutating func exchange(_ finished: EntryID, in lane: Lane) -> Card? {
    guard !isDisrupted, lane == self.lane, highestPosted <= last.priority, let card = cards.popLast() else {
      return nil
    }
    exchanges.append(Exchange(finished: finished, started: card.id))
    return card
  }

  /// A turn begins, which applies what was posted.
  mutating func takeBack() -> Rest {
    isDisrupted = false
    isVacant = false
    highestPosted = .veryLow
    guard isOut else { return Rest(exchanges: [], cards: [], nextSize: size) }
    if lane != nil { size = cards.isEmpty ? min(size * 2, Self.largestSize) : max(size / 2, 1) }
    lane = nil
    return Rest(exchanges: exchanges.removeEach(), cards: cards.removeEach(), nextSize: size)
  }
}
