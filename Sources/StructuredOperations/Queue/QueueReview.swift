/// Whether a queue in which nothing more can begin has to look for what brings it on, which costs a search of the graph.
struct QueueReview: Sendable {
  /// Whether something has changed that may let operations pass a barrier.
  private(set) var isPassingDue = false
  /// Whether something has changed that may matter to a queue at rest.
  private(set) var isRestDue = false
  /// Whether the queue has ever looked, and may have asked the graph to be told of changes.
  private(set) var hasLooked = false
  /// What those at the front wait for, through any number of steps, as it was found last.
  private var needed: Set<ObjectIdentifier> = []
  /// Whether that was not all.
  private var isOpenEnded = false

  /// There are new edges, or operations stand elsewhere than they did.
  mutating func graphChanged() {
    isPassingDue = true
    isRestDue = true
  }

  /// Operations have finished or wait: no reason for others to pass a barrier.
  mutating func operationsChanged() { isRestDue = true }

  /// Something was added.
  mutating func added(_ core: OperationCore) {
    if isOpenEnded || !needed.isEmpty && needed.contains(ObjectIdentifier(core)) { graphChanged() }
  }

  mutating func looked(atRest isAtRest: Bool, needed: Set<ObjectIdentifier>, isOpenEnded: Bool) {
    hasLooked = true
    isPassingDue = false
    if isAtRest { isRestDue = false }
    self.needed = needed
    self.isOpenEnded = isOpenEnded
  }
}
