/// Whether a queue at rest has to look for what brings it on, which costs a search of the graph.
struct QueueReview: Sendable {
  /// Whether something has changed that may matter.
  var isDue = false
  /// What those at the front wait for, through any number of steps, when it was last looked for.
  ///
  /// By identity alone: it is no harm to look once more for one that lives where another lived.
  private var needed: Set<ObjectIdentifier> = []

  /// Whether operations at the front have been found to wait for this one, in which case it may bring the queue on.
  func isNeeded(_ core: OperationCore) -> Bool {
    !needed.isEmpty && needed.contains(ObjectIdentifier(core))
  }

  mutating func looked(_ needed: [OperationCore]) {
    isDue = false
    self.needed = Set(needed.map { ObjectIdentifier($0) })
  }
}
