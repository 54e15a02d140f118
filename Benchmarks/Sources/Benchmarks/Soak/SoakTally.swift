/// What a driver of the soak has done.
struct SoakTally: Sendable {
  /// Operations that were added.
  var added = 0
  /// Operations that queues counted as completed.
  var finished = 0
  /// Bodies that ran; the body of an operation that is cancelled early does not.
  var ran = 0
  /// What else the driver counts, as its ``SoakDriving/churnDescription`` says.
  var churn = 0

  mutating func add(_ other: SoakTally) {
    added += other.added
    finished += other.finished
    ran += other.ran
    churn += other.churn
  }
}
