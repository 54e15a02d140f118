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
      let analysis = StallAnalysis(input, self, &releases)
      // Where a wait has ended meanwhile, there may be another loop, that does not lead through it.
      guard let finding = try? analysis.finding(&releases) else { continue }
      let needs = analysis.needs
      var hold: BarrierHolds.Hold?
      var queuesToTell: [any OwningQueue] = []
      switch finding {
      // Here, since another queue may be about to find the same loop.
      case .deadlock(let wait, let loop): if !wait.end(as: loop) { continue }
      case .nothing:
        hold = analysis.hold(needs)
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
}
