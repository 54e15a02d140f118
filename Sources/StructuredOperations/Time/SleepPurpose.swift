/// What a task of the library sleeps for.
package enum SleepPurpose: Hashable, Sendable {
  case timeout
  case retryPause
  /// The name of the queue, or what stands for it in messages.
  case startRate(queue: String)
  /// The name of the queue, or what stands for it in messages.
  case suspension(queue: String)
}

extension SleepPurpose: CustomStringConvertible {
  package var description: String {
    switch self {
    case .timeout: "a time-out"
    case .retryPause: "a pause between attempts"
    case .startRate(let queue): "the start rate of \(queue)"
    case .suspension(let queue): "the suspension of \(queue)"
    }
  }
}
