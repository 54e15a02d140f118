/// One wait of a body's own task: what it waits for, and whose slot is lent for so long.
///
/// Its edges are part of the graph: they begin under the graph's lock and end without it.
final class BodyWait: Sendable {
  typealias Loop = [any OperationProtocol]
  typealias Progress = BodyWaitProgress<Loop, UnsafeContinuation<Void, Never>>

  /// What a body waits for.
  enum Subject: Sendable {
    /// At least one, each once.
    case operations([any OperationProtocol])
    /// Everything that is in a queue, but what waits for the body in its turn.
    case all(of: any OperationHost)
    /// The end of a queue's scope, which the body has opened: everything in the queue.
    case scope(of: any OperationHost)
  }

  /// The operation whose body waits.
  let operation: any OperationProtocol
  /// The queue that runs it.
  let host: (any OperationHost)?
  let subject: Subject
  private let progress: Guarded<Progress>

  init(of context: ExecutionContext, for subject: Subject) {
    operation = context.operation
    host = ExecutionContext.host
    self.subject = subject
    let count =
      switch subject {
      case .operations(let operations): operations.count
      case .all, .scope: 1
      }
    progress = Guarded(Progress(for: count))
  }

  var isOver: Bool { progress.withLock { $0.isOver } }

  /// Whether the end of a scope has been found out of reach.
  var isGivenUp: Bool { progress.withLock { $0.isGivenUp } }

  /// - Returns: Whether nobody has found that before.
  func giveUp() -> Bool { progress.withLock { $0.giveUp() } }

  // MARK: The end

  /// One of what is waited for has finished.
  ///
  /// - Returns: Whether the wait is over with it; the caller sees to it that the body goes on.
  func finishedOne() -> Bool { ended(progress.withLock { $0.finishedOne() }) }

  /// Ends the wait.
  ///
  /// - Returns: Whether it had not ended before; the caller sees to it that the body goes on.
  func end(_ end: Progress.End) -> Bool { ended(progress.withLock { $0.end(end) }) }

  private func ended(_ isOver: Bool) -> Bool {
    if isOver { operation.core.waitEnded(self) }
    return isOver
  }

  /// Has what was waited for, and has not finished, keep the wait no longer.
  func forget() {
    guard case .operations(let operations) = subject else { return }
    for operation in operations { operation.core.unregister(self) }
  }

  /// Lets the body go on, which has its slot, or needs none.
  func goOn() {
    progress.withLock { $0.goOn() }?.resume()
  }

  /// Has the body go on as soon as it has its slot.
  func goOnWithSlot() {
    if let host { host.bodyReturns(self) } else { goOn() }
  }

  /// Suspends until the wait is over and the body has its slot.
  func untilGoingOn() async -> Progress.End {
    while true {
      if let end = progress.withLock({ $0.endToGoOnWith }) { return end }
      await withUnsafeContinuation { sleeper in
        if progress.withLock({ $0.sleep(sleeper) }) != nil { sleeper.resume() }
      }
    }
  }
}
