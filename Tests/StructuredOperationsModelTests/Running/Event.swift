import StructuredOperations

/// What happened in a run of a program, as far as one can tell from outside.
///
/// What takes time has two events: before it was asked for, and after it had come back. The moment at which it took
/// effect lies between them.
enum Event: Equatable, Sendable {
  case addCalled(Int, ids: [Int], queue: Int)
  case addReturned(Int, AddResult)
  /// A body began in a queue, or without one, while these operations had finished.
  case began(Int, queue: Int?, finished: Set<Int>)
  case ended(Int)
  /// The body waits for another operation, and has gone on.
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
  /// A wait for the operation has come back.
  ///
  /// These operations were pending then.
  case settled(Int, hasSucceeded: Bool, isFinished: Bool, pending: Set<Int>)
  case waitCalled(Int, number: Int)
  case waitReturned(Int, number: Int, isFinished: Bool, pending: Set<Int>)
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
  /// A completion block was set; whether the operation had finished before, and after.
  case blockSet(Int, number: Int, wasFinished: Bool, isFinished: Bool)
  case blockRan(Int, number: Int, isFinished: Bool)
  case queueWaitCalled(Int, queue: Int)
  /// These operations had not finished when the wait came back.
  case queueWaitReturned(Int, unfinished: Set<Int>)
  case scopeCancelled
  /// The closure of the scope is about to end.
  case scopeEnding(isThrowing: Bool)
  /// The scope has ended, while these operations had finished.
  case scopeEnded(finished: Set<Int>, hasThrown: Bool)
  /// Nothing moved, and the operations were so.
  case idle([Int: OperationSnapshot])

  enum AddResult: Equatable, Sendable {
    /// So many were enqueued.
    case count(Int)
    case refused(OperationError)
  }

  enum DependResult: Equatable, Sendable {
    /// Whether the operation lists the other one afterwards.
    case added(isListed: Bool)
    case onSelf
    case loop([Int])
  }

  enum Setting: Equatable, Sendable {
    case limit(Int)
    case isSuspended(Bool)
  }
}
