import StructuredOperations

extension Graph.Retries {
  var policy: OperationRetryPolicy {
    .exponential(from: delay, factor: factor, upTo: maximumDelay, attempts: attempts)
  }

  /// The pause after an attempt, as ``policy`` has it; for the report.
  func delay(after attempt: Int) -> Duration {
    // Without a delay there is nothing to grow: 0 times infinity is no number.
    guard attempt > 1, delay > .zero else { return min(delay, maximumDelay) }
    let growth = pow(factor, Double(attempt - 1))
    // Compared as numbers first: a duration that is too large stops the program.
    return (delay / .seconds(1)) * growth < maximumDelay / .seconds(1) ? delay * growth : maximumDelay
  }
}
