import Foundation
import Synchronization

/// Ends the program if there was no progress for too long: a hang would look like a long run.
final class Watchdog: Sendable {
  private let resetCount = Atomic(0)

  init(patience: Duration) {
    Thread { [weak self] in
      var seen = -1
      while let count = self?.resetCount.load(ordering: .relaxed) {
        if count == seen {
          Output.complain("nothing has happened for \(patience): a hang")
          exit(1)
        }
        seen = count
        Thread.sleep(forTimeInterval: patience / .seconds(1))
      }
    }.start()
  }

  /// Reports progress.
  func reset() {
    resetCount.add(1, ordering: .relaxed)
  }
}
