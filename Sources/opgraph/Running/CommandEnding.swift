/// How a command ended.
enum CommandEnding: Error, Equatable, CustomStringConvertible {
  case exited(status: Int32)
  case killed(signal: Int32)
  case notStarted(SystemError)
  /// It was told to end, because it took longer than this; however it then ended.
  case timedOut(after: Duration)

  /// Decodes the status of `waitpid`, as its macros, which Swift does not import, would: the low seven bits are the
  /// signal, the next byte is the exit status.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .exited(status: (waitStatus >> 8) & 0xFF) : .killed(signal: signal)
  }

  var isSuccess: Bool { self == .exited(status: 0) }

  var description: String {
    switch self {
    case .exited(let status): "exit status \(status)"
    case .killed(let signal): "killed by signal \(signal)"
    case .notStarted(let error): "could not be started: \(error)"
    case .timedOut(let limit): "timed out after \(Self.seconds(limit))"
    }
  }

  /// With as many digits as there are: `3 s`, `0.25 s`.
  private static func seconds(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    return "\(seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)") s"
  }
}
