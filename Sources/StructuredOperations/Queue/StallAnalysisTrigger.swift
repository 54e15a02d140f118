/// Decides when a queue in which nothing more can begin needs a stall analysis, which costs a search of the graph.
struct StallAnalysisTrigger: Sendable {
  /// Whether something has changed that may let operations pass a barrier.
  private(set) var isPassingDue = false
  /// Whether something has changed that may matter to a quiescent queue.
  private(set) var isQuiescenceDue = false
  /// Whether there was ever an analysis, so that the graph may have been asked to tell of changes.
  private(set) var hasAnalysed = false
  /// What was awaited when there was an analysis last.
  private var needs = StallAnalysis.Needs()

  /// Something has changed that an analysis may depend on: edges, barriers, the operations ahead of one, waits for
  /// everything, the limit, the end of a suspension.
  mutating func graphChanged() {
    isPassingDue = true
    isQuiescenceDue = true
  }

  /// Operations have finished or wait, which lets nothing pass a barrier.
  mutating func operationsChanged() { isQuiescenceDue = true }

  mutating func added(_ storage: OperationStorage) {
    if hasAnalysed, needs.mayContain(storage) { graphChanged() }
  }

  mutating func analysed(isQuiescent: Bool, needs: StallAnalysis.Needs) {
    hasAnalysed = true
    isPassingDue = false
    if isQuiescent { isQuiescenceDue = false }
    self.needs = needs
  }
}
