// What follows the end of the operation: its completion block, bodies that resume, and limits that go back.
extension OperationStateMachine {
  /// What becomes of a completion block.
  enum SetCompletionBlockAction: Sendable {
    /// The operation has finished: the block runs now, in the queue that the operation was in.
    case run(CompletionBlock?, by: (any CompletionBlockRunner)?)
    /// The block that was there before is to be freed.
    case replaced(CompletionBlock?)
  }

  mutating func setCompletionBlock(_ block: CompletionBlock?) -> SetCompletionBlockAction {
    if isFinished { return .run(block, by: completionBlockRunner) }
    guard block != nil || connections.exists else { return .replaced(nil) }
    return changeRare { rare in
      let old = rare.completionBlock
      rare.completionBlock = block
      return .replaced(old)
    }
  }

  /// What follows in the queue once that has let the operation go.
  struct FollowUps: Sendable {
    let completionCall: CompletionBlock.Call?
    /// Bodies of other operations that wait for this end.
    let waitingBodies: [BodyWait]
    /// What has the operation's limits, which are to be given back.
    let heldLimits: LimitTable.DemandID?
  }

  /// - Parameter operation: The operation, for its completion block.
  mutating func takeFollowUps(of operation: any OperationProtocol) -> FollowUps {
    let (completionBlock, waitingBodies) =
      connections.changeIfPresent { connections in
        connections.rare.changeIfPresent { ($0.completionBlock.take(), $0.waitingBodies.removeEach()) } ?? (nil, [])
      } ?? (nil, [])
    return FollowUps(
      completionCall: completionBlock?.call(with: operation), waitingBodies: waitingBodies,
      heldLimits: takeHeldLimits())
  }

  /// That of the queue that the operation was in; nil until it has finished.
  var completionBlockRunner: (any CompletionBlockRunner)? {
    switch state {
    case .idle, .enqueued, .claimed, .executing: nil
    case .finishing(let end), .finished(let end): end.completionBlockRunner
    }
  }
}
