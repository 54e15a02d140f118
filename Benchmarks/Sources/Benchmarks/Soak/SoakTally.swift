/// What a part of the soak has done.
struct SoakTally: Sendable {
  /// Operations that queues took.
  var added = 0
  /// Operations that queues counted as completed.
  var finished = 0
  /// Bodies that were called; what is cancelled early has none.
  var ran = 0
  /// How often something was done to a whole queue.
  var churn = 0

  mutating func add(_ other: SoakTally) {
    added += other.added
    finished += other.finished
    ran += other.ran
    churn += other.churn
  }
}
