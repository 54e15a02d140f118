/// Where a ready operation comes among those of its queue: by priority, then by rank.
struct QueuePosition: Equatable, Sendable {
  /// 48 bits of the rank, which leave room for the priority.
  private let lowRank: UInt32
  private let highRank: UInt16
  let priority: QueuePriority

  /// - Parameter rank: Grows with each operation that is added or moved.
  init(priority: QueuePriority, rank: Int) {
    self.priority = priority
    lowRank = UInt32(truncatingIfNeeded: rank)
    highRank = UInt16(rank >> 32)
  }

  private var rank: Int { Int(highRank) << 32 | Int(lowRank) }

  func comesAfter(_ other: QueuePosition) -> Bool {
    priority == other.priority ? rank > other.rank : priority < other.priority
  }

  /// Whether something comes before that is added now, at the end of its priority.
  func comesAfterAddition(of added: QueuePriority) -> Bool { priority < added }
}
