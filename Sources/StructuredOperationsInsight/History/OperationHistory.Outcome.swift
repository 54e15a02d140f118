extension OperationHistory {
  /// How an operation ended, as a history tells it.
  public enum Outcome: Hashable, Codable, Sendable {
    /// The operation had not finished.
    case unfinished
    /// The body returned an output.
    case succeeded
    /// The body threw an error, or a dependency that had to succeed did not: the error in words, cut to 1 000 Unicode scalars.
    case failed(String)
    /// The operation was cancelled, and its body did not run or threw `CancellationError`.
    case cancelled

    /// One word for tables and colours.
    var word: String {
      switch self {
      case .unfinished: "unfinished"
      case .succeeded: "succeeded"
      case .failed: "failed"
      case .cancelled: "cancelled"
      }
    }
  }
}
