extension DependencyGraph {
  /// What a queue in which nothing more can begin knows of its operations.
  struct Standstill {
    let host: any OperationHost
    /// What has to finish before anything behind the first barrier may begin.
    let front: [OperationCore]
    /// That barrier and everything behind it; asked for only where it has to be gone through.
    let held: @Sendable () -> [OperationCore]
    /// Whether an operation is one of those.
    let isHeld: @Sendable (OperationCore) -> Bool
    /// Whether what passes a barrier could run.
    let mayPass: Bool
    /// Whether nothing that has a slot runs, so that only what is found here brings the queue on.
    let isAtRest: Bool
    /// Bodies that wait for everything in the queue.
    let waitsForAll: [BodyWait]
    /// The wait of a body for the end of the queue's scope.
    let scopeWait: BodyWait?
  }

  /// What such a queue learns.
  struct Review: Sendable {
    enum Answer: Sendable {
      /// Somebody else has to bring the queue on; it is told when there are new edges.
      case nothing
      /// Operations behind a barrier that those ahead of it depend on.
      case pass([OperationCore])
      /// Everything that is left waits for the bodies that wait for everything, or is one of them; where there is none,
      /// for the body that waits for the end of the scope.
      case onlyWaitersLeft
      /// A wait that could never end, and the operations along its loop.
      case deadlock(BodyWait, BodyWait.Loop)
    }

    let answer: Answer
    /// What those at the front wait for, themselves included.
    ///
    /// By identity alone: it is no harm to look once more for one that lives where another lived.
    let needed: Set<ObjectIdentifier>
    /// Whether that is not all, since one of them waits for everything in a queue.
    let isOpenEnded: Bool
  }

  static func review(_ standstill: Standstill) -> Review {
    withLock { state, garbage in
      let review = ReviewSearch(standstill, waitsForAll: state.waitsForAll, garbage())
      let answer = review.answer
      let needed = review.needed
      if case .nothing = answer {
        state.watch(standstill.host, needed: needed, isOpenEnded: review.isOpenEnded)
      }
      return Review(answer: answer, needed: needed, isOpenEnded: review.isOpenEnded)
    }
  }
}
