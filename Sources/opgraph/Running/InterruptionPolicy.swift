/// Decides what each signal to the tool means; sends and stops nothing.
struct InterruptionPolicy: Sendable {
  /// What the program leaves with, as shells have it: 128 and the first signal; nil while none came.
  private(set) var exitStatus: Int32?
  private var isRunning = false
  private var count = 0

  /// What is to be done about a signal.
  enum Action: Equatable {
    /// Ask the running commands to end, start no other.
    case cancel
    /// Make them end.
    case kill
    /// Leave: nothing runs yet, or something that escaped from its process group holds an output open.
    case exit(Int32)
  }

  /// From here on there may be commands to wait for.
  mutating func runBegan() {
    isRunning = true
  }

  mutating func received(_ signal: Int32) -> Action {
    let status = exitStatus ?? 128 + signal
    exitStatus = status
    guard isRunning else { return .exit(status) }
    count += 1
    switch count {
    case 1: return .cancel
    case 2: return .kill
    default: return .exit(status)
    }
  }
}
