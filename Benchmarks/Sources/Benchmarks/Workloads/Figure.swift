/// One of the numbers that a round of a workload yields.
struct Figure: Sendable {
  /// The suffix after the name of the workload, such as `p99`; empty if the workload has only one figure.
  let name: String
  let unit: Unit

  /// The unit of a figure; smaller is always better.
  enum Unit: String, Sendable {
    case nanosecondsPerOperation = "ns/op"
    case microseconds = "µs"
    case milliseconds = "ms"
    case bytesPerOperation = "bytes/op"
    case allocationsPerOperation = "mallocs/op"
    /// Times of a body of the same workload, which is known.
    case bodies = "bodies"
    /// The ratio of two figures of the same competitor.
    case ratio = "ratio"

    /// The number of significant digits after the decimal point.
    var digits: Int {
      switch self {
      case .nanosecondsPerOperation, .bytesPerOperation: 0
      case .microseconds, .milliseconds: 1
      case .allocationsPerOperation, .bodies, .ratio: 2
      }
    }
  }
}
