extension QueueTimeStateMachine {
  /// Applies what the next turn will learn of starts.
  mutating func preview(_ news: QueueSharedState.News) {
    started(at: news.batch.startTimes)
    for event in news.events { if case .leftUnrun(let start) = event { leftUnrun(start) } }
  }
}
