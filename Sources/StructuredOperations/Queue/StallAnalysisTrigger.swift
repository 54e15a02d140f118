/// Decides when a queue in which nothing more can begin needs a stall analysis, which costs a search of the graph.
struct StallAnalysisTrigger: Sendable {
  /// Whether something has changed that may let operations pass a barrier.
  private(set) var isPassingDue = false
  /// Whether something has changed that may matter to a quiescent queue.
  private(set) var isQuiescenceDue = false
  /// Whether there was an analysis, or a wait for everything, since there was last nothing to stall for.
  ///
  /// If so, additions may matter, and the graph may have been asked to tell of changes.
  private(set) var isInUse = false
  /// Whether the graph may know what the barrier holds up.
  private(set) var mayHoldBeKnown = false
  /// What was awaited when there was an analysis last.
  private var needs = StallAnalysis.Needs()

  /// Something has changed that an analysis may depend on: edges, barriers, the operations ahead of one, waits for
  /// everything, the limit, the end of a suspension.
  mutating func graphChanged() {
    isPassingDue = true
    isQuiescenceDue = true
  }

  /// A body waits for everything in the queue.
  mutating func wholeQueueWaitBegan() {
    isInUse = true
    graphChanged()
  }

  /// Operations have finished or wait, which lets nothing pass a barrier.
  mutating func operationsChanged() { isQuiescenceDue = true }

  /// - Parameter isAwaited: Whether something depends on the operation, or waits for it.
  mutating func added(_ storage: OperationStorage, isAwaited: @autoclosure () -> Bool) {
    if needs.contains(storage) || (needs.isOpenEnded && isAwaited()) { graphChanged() }
  }

  /// Whether the graph may know what is not so any more.
  var isHoldOutdated: Bool { mayHoldBeKnown && isQuiescenceDue }

  mutating func holdRemoved() { mayHoldBeKnown = false }

  /// The queue can stall no longer, and is not told of changes any more.
  mutating func stopped() { self = Self() }

  mutating func analysed(isQuiescent: Bool, needs: StallAnalysis.Needs, isHoldKnown: Bool = false) {
    isInUse = true
    mayHoldBeKnown = isHoldKnown
    isPassingDue = false
    if isQuiescent { isQuiescenceDue = false }
    self.needs = needs
  }
}
