/// What goes wrong with operations and queues, apart from what bodies throw.
public enum OperationError: Error, Sendable {
  /// The operation was started by hand while it depends on one that has not finished (ST-02).
  case notReady
  /// The operation executes already (ST-03, QA-03).
  case alreadyExecuting
  /// The operation is in a queue already, which will run it (ST-06, QA-02).
  case alreadyEnqueued
  /// The operation has finished and does not run again (QA-04).
  case alreadyFinished
  /// An operation cannot depend on itself (DP-03).
  case dependencyOnSelf
  /// The dependency would close a loop (DP-04).
  ///
  /// These are the operations along it, each once: first the one that would depend, then the one that it would
  /// depend on, then what that one depends on, and so on.
  case dependencyCycle([any OperationProtocol])
  /// The operation did not run because another, which had to succeed, did not (DP-13).
  ///
  /// This is the operation at the root of the failure and what it threw; `CancellationError` where it was cancelled.
  case dependencyFailed(on: any OperationProtocol, underlying: any Error)
  /// A completion was dropped before anybody called it (LC-12).
  case abandoned
  /// The blocks have been handed to an operation that executes, or has finished (BO-04).
  case blocksSealed
  /// A limit has to be -1, which means the default, or at least 0 (QC-03).
  case invalidMaxConcurrentOperationCount(Int)
  /// The wait could never end, because what is waited for waits for the waiting body in its turn (WT-03).
  case waitWouldDeadlock
  /// The queue belonged to a scope that has ended.
  case queueClosed
}

extension OperationError: Equatable {
  /// Two errors are equal where they name the same operations.
  ///
  /// The underlying errors are not compared.
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
    default:
      false
    }
  }
}

extension OperationError: CustomStringConvertible {
  /// What went wrong, with the operations concerned, in a sentence.
  public var description: String {
    switch self {
    case .notReady:
      "The operation is not ready: an operation that it depends on has not finished."
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
      "The operation did not run because \(Self.name(of: operation)) did not succeed: \(error)"
    case .abandoned:
      "The completion was dropped without having been called."
    case .blocksSealed:
      "The blocks belong to an operation that executes or has finished; no more can be added."
    case .invalidMaxConcurrentOperationCount(let count):
      "\(count) is no limit: expected -1, which means the default, or a number of operations from 0 on."
    case .waitWouldDeadlock:
      "The wait could never end: what is waited for waits for the waiting operation."
    case .queueClosed:
      "The queue's scope has ended; it takes no more operations."
    }
  }

  /// The names along a loop of dependencies and waits, the first one again at its end.
  ///
  /// A long loop is shortened in the middle.
  static func loop(_ path: [any OperationProtocol]) -> String {
    let shown = 20
    var names = path.prefix(shown).map(name(of:))
    if path.count > shown { names.append("… (\(path.count - shown) more)") }
    if let first = path.first { names.append(name(of: first)) }
    return names.joined(separator: " -> ")
  }

  static func name(of operation: any OperationProtocol) -> String {
    operation.name.map { "\"\($0)\"" } ?? "an operation without a name"
  }
}
