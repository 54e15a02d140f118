/// The errors of operations and queues, apart from what bodies throw.
public enum OperationError: Error, Sendable {
  /// The operation was started while it depends on an unfinished operation, or one whose output it was to get was removed.
  case notReady
  /// The operation is already executing.
  case alreadyExecuting
  /// The operation is already in a queue, which will run it.
  case alreadyEnqueued
  /// The operation has finished and cannot run again.
  case alreadyFinished
  /// An operation cannot depend on itself.
  case dependencyOnSelf
  /// The dependency would create a cycle.
  ///
  /// The operations on the cycle, each once: first the one that would become the dependent, then its new dependency,
  /// then an operation that this one depends on or waits for, and so on.
  case dependencyCycle([any OperationProtocol])
  /// The operation did not run because a dependency that had to succeed did not.
  ///
  /// The operation at the root of the failure, and the error that it threw: `CancellationError` if it was cancelled.
  case dependencyFailed(on: any OperationProtocol, underlying: any Error)
  /// The last copy of a completion was dropped without a call.
  case abandoned
  /// The blocks belong to an operation that is executing or has finished.
  case blocksSealed
  /// A maximum has to be -1, which stands for the default, or at least 0.
  case invalidMaxConcurrentOperationCount(Int)
  /// The wait could never end, because the operation that is waited for waits for the waiting body.
  case waitWouldDeadlock
  /// The queue was closed, or its scope has ended.
  case queueClosed
  /// The operation would need more of a limit than its count, and would never begin.
  case costExceedsLimit(cost: Int, limit: ConcurrencyLimit)
  /// The closure of ``withOperationTimeout(_:clock:_:)`` had not ended when this time was up.
  case timedOut(Duration)
}

extension OperationError: Equatable {
  /// Two errors are equal if they are the same case and name the same operations and limits.
  ///
  /// Underlying errors are not compared.
  ///
  /// - Parameters:
  ///   - one: An error.
  ///   - other: Another one.
  public static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.notReady, .notReady), (.alreadyExecuting, .alreadyExecuting), (.alreadyEnqueued, .alreadyEnqueued),
      (.alreadyFinished, .alreadyFinished), (.dependencyOnSelf, .dependencyOnSelf), (.abandoned, .abandoned),
      (.blocksSealed, .blocksSealed), (.waitWouldDeadlock, .waitWouldDeadlock), (.queueClosed, .queueClosed):
      true
    case (.dependencyCycle(let one), .dependencyCycle(let other)):
      one.elementsEqual(other) { $0 === $1 }
    case (.dependencyFailed(let one, _), .dependencyFailed(let other, _)):
      one === other
    case (.invalidMaxConcurrentOperationCount(let one), .invalidMaxConcurrentOperationCount(let other)):
      one == other
    case (.costExceedsLimit(let one, let limit), .costExceedsLimit(let other, let otherLimit)):
      one == other && limit === otherLimit
    case (.timedOut(let one), .timedOut(let other)):
      one == other
    default:
      false
    }
  }
}

extension OperationError: CustomStringConvertible {
  /// The error in a sentence that names the operations concerned.
  public var description: String {
    switch self {
    case .notReady:
      "The operation is not ready: one that it depends on has not finished, or one whose output it was to get was removed."
    case .alreadyExecuting:
      "The operation executes already."
    case .alreadyEnqueued:
      "The operation is in a queue already."
    case .alreadyFinished:
      "The operation has finished; an operation runs once."
    case .dependencyOnSelf:
      "An operation cannot depend on itself."
    case .dependencyCycle(let path):
      "The dependency would close a loop: \(Self.loop(path))."
    case .dependencyFailed(on: let operation, let error):
      "The operation did not run because \(operation.label) did not succeed: \("\(error)".onOneLine)"
    case .abandoned:
      "The completion was dropped without having been called."
    case .blocksSealed:
      "The blocks belong to an operation that executes or has finished; no more can be added."
    case .invalidMaxConcurrentOperationCount(let count) where count >= -1:
      "\(count) is no limit for the main queue: expected 1, as it runs one operation at a time."
    case .invalidMaxConcurrentOperationCount(let count):
      "\(count) is no limit: expected -1, which means the default, or a number of operations from 0 on."
    case .waitWouldDeadlock:
      "The wait could never end: what is waited for waits for the waiting operation."
    case .queueClosed:
      "The queue is closed; it takes no more operations."
    case .costExceedsLimit(let cost, let limit):
      "A cost of \(cost) is too much for a \(limit): expected at most \(limit.count)."
    case .timedOut(let duration):
      "The time was up: there was no end within \(duration)."
    }
  }

  /// The names on a cycle of dependencies and waits, with the first repeated at the end.
  ///
  /// Only the first names of a long cycle are listed.
  static func loop(_ path: [any OperationProtocol]) -> String {
    let shown = 20
    var names = path.prefix(shown).map(\.label)
    if path.count > shown { names.append("… (\(path.count - shown) more)") }
    if let first = path.first { names.append(first.label) }
    return names.joined(separator: " -> ")
  }
}
