extension QueueTimeStateMachine {
  /// Applies what the next turn will learn of starts.
  mutating func preview(_ input: QueueSharedState.TurnInput) {
    started(at: input.batch.startTimes)
    for event in input.events { if case .leftUnrun(let start) = event { leftUnrun(start) } }
  }
}
