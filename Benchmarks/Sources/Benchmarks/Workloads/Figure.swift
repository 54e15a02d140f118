/// One of the numbers that a round of a workload gives.
struct Figure: Sendable {
  /// What follows the name of the workload, as in `p99`; empty where there is only one.
  let name: String
  let unit: Unit

  /// What the number counts; smaller is better throughout.
  enum Unit: String, Sendable {
    case nanosecondsPerOperation = "ns/op"
    case microseconds = "µs"
    case milliseconds = "ms"
    case bytesPerOperation = "bytes/op"
    case allocationsPerOperation = "mallocs/op"
    /// One figure of a competitor to another one of the same competitor.
    case ratio = "ratio"

    /// How many digits after the point mean something.
    var digits: Int {
      switch self {
      case .nanosecondsPerOperation, .bytesPerOperation: 0
      case .microseconds, .milliseconds: 1
      case .allocationsPerOperation, .ratio: 2
      }
    }
  }
}
