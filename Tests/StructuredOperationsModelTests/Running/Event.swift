import StructuredOperations

/// What happened in a run of a program, as far as it can be observed through public API.
///
/// A call has two events, before it and after it has returned; it took effect between them.
enum Event: Equatable, Sendable {
  case addCalled(Int, ids: [Int], queue: Int)
  case addReturned(Int, AddResult)
  /// A body began, in a queue or without one; `finished` are the operations that had finished by then.
  case began(Int, queue: Int?, finished: Set<Int>)
  case ended(Int)
  /// A body waits for something (`waitBegan`), and has continued (`waitEnded`).
  case waitBegan(Int, Lending)
  case waitEnded(Int)
  /// A body has read the value of another operation; `isCancelled` tells whether the body's task was cancelled by then.
  case bodyRead(Int, of: Int, RunRecord.Outcome, isCancelled: Bool)
  /// A body has called `runBarrier` of its own queue.
  case ownBarrierReturned(Int, CallResult)
  case barrierCalled(Int, queue: Int, BarrierKind, limits: [Int])
  /// `isRefused` tells whether the barrier has failed because its queue is closed.
  case barrierReturned(Int, isRefused: Bool)
  case barrierBegan(Int, finished: Set<Int>)
  case barrierEnded(Int, isThrowing: Bool)
  /// A wait for the barrier has returned.
  case barrierSettled(Int, RunRecord.Outcome, finished: Set<Int>)
  case barrierCallReturned(Int, CallResult)
  case barrierCancelled(Int)
  case callCalled(Int, queue: Int, limits: [Int])
  case callBegan(Int)
  case callEnded(Int, isThrowing: Bool)
  case callReturned(Int, CallResult)
  case callCancelled(Int)
  /// A wait for the operation has returned.
  ///
  /// `pending` are the operations that were pending then.
  case settled(Int, RunRecord.Outcome, isFinished: Bool, pending: Set<Int>)
  case waitCalled(Int, number: Int)
  case waitReturned(Int, number: Int, isFinished: Bool, pending: Set<Int>)
  case valueCalled(Int, reader: Int)
  case valueCancelled(reader: Int)
  case valueReturned(Int, reader: Int, RunRecord.Outcome, isFinished: Bool)
  /// An observer has received the state `finished`.
  case finishSeen(Int, isFinished: Bool, pending: Set<Int>)
  case startCalled(Int)
  case startReturned(Int, OperationError?, isFinished: Bool)
  case dependCalled(Int, on: Int)
  case dependReturned(Int, on: Int, DependencyRequirement, DependResult)
  case undependCalled(Int, on: Int)
  case undependReturned(Int, on: Int)
  case cancelCalled(Int)
  case cancelReturned(Int, wasFinished: Bool)
  case cancelAllCalled(queue: Int)
  case cancelAllReturned(queue: Int)
  case settingCalled(queue: Int, Setting)
  case settingReturned(queue: Int)
  case limitAddCalled(Int, Program.LimitCost)
  case limitAddReturned(Int, Program.LimitCost, LimitResult)
  case countCalled(Int, limit: Int)
  case countReturned(limit: Int)
  case rateCalled(queue: Int, Program.Rate?)
  case rateReturned(queue: Int)
  /// A body begins an attempt, by its number, and ends it.
  case attemptBegan(Int, Int)
  case attemptEnded(Int, Int, AttemptResult)
  /// A body makes no more attempts; the result is that of all together.
  case retryEnded(Int, AttemptResult)
  /// A body waits for another operation in a time-out.
  case timedWaitBegan(Int)
  case timedWaitEnded(Int, AttemptResult)
  case priorityCalled(Int, QueuePriority)
  case priorityReturned(Int)
  case released(Int)
  /// A completion block was set; the flags tell whether the operation had finished before and after the call.
  case blockSet(Int, number: Int, wasFinished: Bool, isFinished: Bool)
  /// A completion block has run; `outcome` is what it was given, nil if it takes nothing.
  case blockRan(Int, number: Int, isFinished: Bool, outcome: RunRecord.Outcome?)
  case closeCalled(queue: Int)
  case closeReturned(queue: Int)
  /// The snapshots of a queue have ended.
  case statesEnded(queue: Int, last: QueueSnapshot?)
  case queueWaitCalled(Int, queue: Int)
  /// A wait for a queue has returned; `unfinished` are the operations that had not finished then.
  case queueWaitReturned(Int, unfinished: Set<Int>)
  case scopeCancelled
  /// The closure of the scope is about to end.
  case scopeEnding(isThrowing: Bool)
  /// The scope has ended; `finished` are the operations that had finished by then.
  case scopeEnded(finished: Set<Int>, ScopeResult)
  /// Everything was idle, with the operations in these states.
  case idle([Int: OperationSnapshot])

  enum AddResult: Equatable, Sendable {
    /// The number of operations that were enqueued.
    case count(Int)
    case refused(OperationError)
  }

  /// Whether a body lends its slot while it waits.
  enum Lending: Equatable, Sendable {
    case certain
    /// Only where it has to suspend.
    case possible
    case none
  }

  enum BarrierKind: Equatable, Sendable {
    case added
    /// Called in a plain task.
    case called
    case calledByBody(Int)
  }

  /// How `run` or `runBarrier` came back.
  enum CallResult: Equatable, Sendable {
    case returned
    /// With the error of the closure.
    case thrown
    case cancelled
    case refused(OperationError)
    case other
  }

  enum ScopeResult: Equatable, Sendable {
    case returned
    /// With the error of the scope's own closure.
    case thrown
    case cancelled
    /// With the error of one of these, see ``ProgramRun/Failure``.
    case failed(Set<Int>)
  }

  enum DependResult: Equatable, Sendable {
    /// `isListed` tells whether `dependencies` contains the operation afterwards.
    case added(isListed: Bool)
    case onSelf
    case loop([Int])
  }

  enum Setting: Equatable, Sendable {
    case limit(Int)
    case isSuspended(Bool)
    case isSuspendedFor(Duration)
  }

  /// What adding a concurrency limit came to.
  enum LimitResult: Equatable, Sendable {
    case counts
    case tooLate
    /// The cost is above the count.
    case refused
  }

  /// How an attempt, or something in a time-out, came back.
  enum AttemptResult: Equatable, Sendable {
    case returned
    /// With the error of the body.
    case failed
    case timedOut
    case cancelled
    case other
  }
}
