/// One wait of a body's own task: what it waits for, and whose slot is released meanwhile.
///
/// Apart from one for a closure it is part of the graph: it begins under the graph's lock. A wait for operations
/// usually ends without that lock; where it is found to deadlock, it ends under it.
final class BodyWait: Sendable {
  /// The operations along a loop of dependencies and waits, the one whose body waits first.
  typealias Loop = [any OperationProtocol]
  typealias Progress = BodyWaitProgress<Loop, UnsafeContinuation<Void, Never>>

  /// What a body waits for.
  enum Subject: Sendable {
    /// At least one, each once.
    case operations([any OperationProtocol])
    /// Everything that is in a queue, except what waits for the body.
    case all(of: any OwningQueue)
    /// The end of a queue's scope, which the body has opened: everything in the queue.
    case scope(of: any OwningQueue)
    /// The end of a closure that the body runs itself; no part of the graph.
    case closure
  }

  /// The operation whose body waits.
  let operation: any OperationProtocol
  /// The queue that has its slot, or what has its limits where it was started by hand; nil if it has neither, or has lent
  /// them before.
  let slotOwner: (any SlotOwner)?
  let subject: Subject
  /// Whether the body waits inside of a closure that it has lent its slot for.
  let isNested: Bool
  /// Whether the body's own task runs the operation that it waits for, by `run`, `runBarrier` or `start()`.
  let runsAwaited: Bool
  private let progress: Guarded<Progress>

  init(of context: ExecutionContext, for subject: Subject, runsAwaited: Bool = false) {
    operation = context.operation
    self.runsAwaited = runsAwaited
    let owner: (any SlotOwner)? = if let queue = ExecutionContext.queue { queue } else { ExecutionContext.limitedStart }
    isNested = context.isSlotLent
    slotOwner = isNested ? nil : owner
    self.subject = subject
    let count =
      switch subject {
      case .operations(let operations): operations.count
      case .all, .scope, .closure: 1
      }
    progress = Guarded(Progress(for: count))
  }

  /// The operation that is waited for, the first of several.
  var awaitedOperation: (any OperationProtocol)? {
    if case .operations(let operations) = subject { operations.first } else { nil }
  }

  /// The queue, if everything in one is waited for.
  var awaitedQueue: (any OwningQueue)? {
    switch subject {
    case .operations, .closure: nil
    case .all(let queue), .scope(let queue): queue
    }
  }

  var isOver: Bool { progress.withLock { $0.isOver } }

  /// Whether the body would go on if the wait were ended now: not within what it runs itself, once that has begun.
  var canBeEnded: Bool { !runsAwaited || awaitedOperation?.storage.read { $0.state.isExecuting } != true }

  /// The call of `run` or `runBarrier` by which the body waits, to be cancelled where the wait ends as a deadlock.
  ///
  /// It waits to be chosen, which would never happen. What somebody else has called is theirs. See
  /// ``OperationProtocol/withdrawCall()``.
  var callInVain: (any OperationProtocol)? {
    guard runsAwaited, let operation = awaitedOperation, operation.storage.runsInCaller else { return nil }
    return operation
  }

  /// Whether the end of a scope was found out of reach.
  var isAbandoned: Bool { progress.withLock { $0.isAbandoned } }

  /// Whether the body waits for everything in some other queue.
  func isForEverything(inOtherThan queue: any OwningQueue) -> Bool { awaitedQueue.map { $0 !== queue } ?? false }

  /// Whether the body waits for the end of a scope.
  var isForScope: Bool { if case .scope = subject { true } else { false } }

  /// - Returns: Whether nobody has found that before.
  func abandon() -> Bool { progress.withLock { $0.abandon() } }

  /// Lends the slot of the body, which begins to wait.
  nonisolated(nonsending) func releaseSlot() async {
    if !isNested { operation.storage.waitBegan(self) }
    await slotOwner?.releaseSlot(for: self)
  }

  // MARK: Ending

  /// One of what is waited for has finished.
  ///
  /// - Returns: Whether the wait is over with it; then the caller resumes the body.
  func finishedOne() -> Bool { ended(progress.withLock { $0.finishedOne() }) }

  /// Ends the wait.
  ///
  /// - Returns: Whether it had not ended before; then the caller resumes the body.
  func end(_ end: Progress.End) -> Bool { ended(progress.withLock { $0.end(end) }) }

  /// The wait could never end; one for the end of a scope ends by itself, when everything in the scope has been cancelled.
  ///
  /// - Returns: Whether nobody has found that before, and the wait had not ended.
  func end(as loop: Loop) -> Bool { isForScope ? abandon() : end(.deadlock(loop)) }

  /// The body's task was cancelled: it waits for its slot alone, unless what it waits for is published as finished.
  func cancel() {
    guard case .operations(let operations) = subject, operations.contains(where: { !$0.storage.isFinished }),
      end(.cancelled)
    else { return }
    unregister()
    resumeWithSlot()
  }

  /// The wait was ended as a deadlock: the body goes on as soon as it has its slot.
  func resumeFromDeadlock() {
    unregister()
    callInVain?.withdrawCall()
    resumeWithSlot()
  }

  /// Tells nobody, though it may change an operation under the graph's lock: neither state nor snapshot are others then.
  private func ended(_ isOver: Bool) -> Bool {
    if isOver { operation.storage.apply { $0.waitEnded(self) } }
    return isOver
  }

  /// Removes the wait from the operations that are waited for and have not finished.
  func unregister() {
    guard case .operations(let operations) = subject else { return }
    // What is returned is freed here, where the lock is released.
    for operation in operations { _ = operation.storage.apply { $0.removeWaitingBody(self) } }
  }

  /// Resumes the body, which has its slot, or needs none.
  func resume() {
    progress.withLock { $0.resume() }?.resume()
  }

  /// Resumes the body as soon as it has its slot.
  func resumeWithSlot() {
    if let slotOwner { slotOwner.reacquireSlot(for: self) } else { resume() }
  }

  /// Suspends until the wait is over and the body has its slot.
  func untilResumed() async -> Progress.End {
    while true {
      if let end = progress.withLock({ $0.endOnceResumed }) {
        operation.storage.waitEnded(self)
        return end
      }
      await suspendTask { waiter in progress.withLock { $0.park(waiter) } }
    }
  }
}

extension OperationProtocol {
  /// Cancels the operation of a call of `run` or `runBarrier` that would wait for ever; a barrier does not keep its place.
  ///
  /// The queue cancels it. Example: `cancel()` here, and a turn answers the caller at once, before the queue hears that the barrier
  /// is to leave. What the body adds next would wait behind the barrier.
  nonisolated func withdrawCall() {
    storage.read { $0.assignment?.queue }?.callWithdrawn(storage)
  }
}
