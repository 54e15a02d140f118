extension Duration {
  /// The same, but so long at most that the sum with the time of a clock does not overflow: 292 billion years.
  var addable: Duration { min(self, .seconds(Int64.max)) }
}
