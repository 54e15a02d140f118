import Foundation

@testable import opgraph

extension CommandLoop {
  /// The loop of all tests in this process, on a thread of its own.
  static let ofTests: CommandLoop = {
    do {
      let loop = CommandLoop(signals: try SignalPipe([SIGCHLD]))
      try SystemThread.start { loop.run { signal in preconditionFailure("signal \(signal) was not asked for") } }
      return loop
    } catch {
      preconditionFailure("\(error)")
    }
  }()
}
