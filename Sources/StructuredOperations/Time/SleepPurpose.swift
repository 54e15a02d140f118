/// What a sleep of the library is for.
enum SleepPurpose: Hashable, Sendable {
  case timeout
  case retryPause
  case startRate(queue: String)
  case suspension(queue: String)
}
