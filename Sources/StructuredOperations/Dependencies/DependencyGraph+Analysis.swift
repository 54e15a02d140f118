extension DependencyGraph {
  /// Looks for what unblocks a queue.
  ///
  /// Where that is the end of a wait, the wait has ended on return.
  static func analyse(_ input: StallAnalysis.Input) -> StallAnalysis.Result {
    withLock { state, releases in state.analyse(input, &releases) }
  }
}

extension DependencyGraph.State {
  /// The same, under the graph's lock.
  mutating func analyse(_ input: StallAnalysis.Input, _ releases: inout DeferredReleases) -> StallAnalysis.Result {
    unwatch(ObjectIdentifier(input.queue), &releases)
    while true {
      // Where a wait has ended meanwhile, there may be another loop, that does not lead through it.
      guard let (finding, needs, hold) = find(input, &releases) else { continue }
      var queuesToTell: [any OwningQueue] = []
      switch finding {
      // Here, since another queue may be about to find the same loop.
      case .deadlock(let wait, let loop): if !wait.end(as: loop) { continue }
      case .nothing:
        watch(input.queue, for: needs, stallsByScopeAlone: input.stallsByScopeAlone, hold)
        // With what this one has left, what is in others may be found to wait for bodies that wait for all of it.
        if hold != nil, needs.isOpenEnded || !input.wholeQueueWaits.isEmpty {
          queuesToTell = waiterSearch.queuesWithOnlyWaitersLeft(otherThan: input.queue, &releases)
        }
      case .pass, .fallBehind, .onlyWaitersLeft, .scopeNeverEnds: break
      }
      return StallAnalysis.Result(
        finding: finding, needs: needs, isHoldKnown: hold != nil, queuesToTell: queuesToTell)
    }
  }

  /// Apart from ``analyse(_:_:)``: an analysis that is alive while the graph changes would have all that it looks at copied.
  ///
  /// - Returns: With what is to be left in the graph; nil where a wait that matters has ended meanwhile.
  private func find(
    _ input: StallAnalysis.Input,
    _ releases: inout DeferredReleases
  ) -> (StallAnalysis.Finding, StallAnalysis.Needs, BarrierHolds.Hold?)? {
    let analysis = StallAnalysis(input, self, &releases)
    guard let finding = try? analysis.finding(&releases) else { return nil }
    let needs = analysis.needs
    guard case .nothing = finding else { return (finding, needs, nil) }
    return (finding, needs, analysis.hold(needs))
  }
}
