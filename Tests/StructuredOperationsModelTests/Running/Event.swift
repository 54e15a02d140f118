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
  /// A body waits for another operation (`waitBegan`), and has continued (`waitEnded`).
  case waitBegan(Int)
  case waitEnded(Int)
  case barrierCalled(Int, queue: Int)
  case barrierReturned(Int)
  case barrierBegan(Int, finished: Set<Int>)
  case barrierEnded(Int)
  case callCalled(Int, queue: Int)
  case callBegan(Int)
  case callEnded(Int)
  case callReturned(Int, hasThrown: Bool)
  case callCancelled(Int)
  /// A wait for the operation has returned.
  ///
  /// `pending` are the operations that were pending then.
  case settled(Int, hasSucceeded: Bool, isFinished: Bool, pending: Set<Int>)
  case waitCalled(Int, number: Int)
  case waitReturned(Int, number: Int, isFinished: Bool, pending: Set<Int>)
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
  case priorityCalled(Int, QueuePriority)
  case priorityReturned(Int)
  case released(Int)
  /// A completion block was set; the flags tell whether the operation had finished before and after the call.
  case blockSet(Int, number: Int, wasFinished: Bool, isFinished: Bool)
  case blockRan(Int, number: Int, isFinished: Bool)
  case queueWaitCalled(Int, queue: Int)
  /// A wait for a queue has returned; `unfinished` are the operations that had not finished then.
  case queueWaitReturned(Int, unfinished: Set<Int>)
  case scopeCancelled
  /// The closure of the scope is about to end.
  case scopeEnding(isThrowing: Bool)
  /// The scope has ended; `finished` are the operations that had finished by then.
  case scopeEnded(finished: Set<Int>, hasThrown: Bool)
  /// Everything was idle, with the operations in these states.
  case idle([Int: OperationSnapshot])

  enum AddResult: Equatable, Sendable {
    /// The number of operations that were enqueued.
    case count(Int)
    case refused(OperationError)
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
  }
}
