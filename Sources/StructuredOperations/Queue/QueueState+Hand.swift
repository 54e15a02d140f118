// What is chosen ahead, so that child tasks go on without a turn of the queue.
extension QueueState {
  /// Operations of one lane.
  struct ChosenAhead: Sendable {
    let cards: [QueueFront.Hand.Card]
    let lane: QueueLane
    let last: QueuePlace
  }

  /// Takes back what was dealt at the end of the last turn.
  mutating func takeBack(_ rest: QueueFront.Hand.Rest) {
    handSize = rest.nextSize
    for exchange in rest.exchanges { scheduler.exchanged(exchange.finished, for: exchange.started) }
    if !rest.exchanges.isEmpty, mayComeToRest { review.operationsChanged() }
    // The next one is the last, so it is the first again.
    for card in rest.cards { scheduler.putBackReady(card.id) }
  }

  /// Chooses ahead, where each operation that finishes leaves its slot to the first ready one.
  mutating func chooseAhead() -> ChosenAhead? {
    guard scheduler.isFull else { return nil }
    var lane: QueueLane?
    let defaults = defaults
    let chosen = scheduler.deal(handSize) { core in
      if core.isOfCaller { return false }
      let other = QueueLane(of: core, in: defaults)
      if lane == nil { lane = other }
      return lane == other
    }
    guard let chosen, let lane else { return nil }
    return ChosenAhead(cards: chosen.cards, lane: lane, last: chosen.last)
  }
}
