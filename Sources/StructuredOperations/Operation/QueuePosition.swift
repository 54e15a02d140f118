/// Where a ready operation comes among those of its queue: by priority, then by rank.
struct QueuePosition: Equatable, Sendable {
  /// The lower bits of the rank; ranks that are compared are less than 2 ^ 31 apart.
  private let rank: Int32
  let priority: QueuePriority

  init(priority: QueuePriority, rank: Int) {
    self.priority = priority
    self.rank = Int32(truncatingIfNeeded: rank)
  }

  func comesAfter(_ other: QueuePosition) -> Bool {
    priority == other.priority ? rank &- other.rank > 0 : priority < other.priority
  }

  /// Whether something comes before that is added now, at the end of its priority.
  func comesAfterAddition(of added: QueuePriority) -> Bool { priority < added }
}
