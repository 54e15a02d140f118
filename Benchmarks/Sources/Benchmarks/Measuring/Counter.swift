import Synchronization

/// The counter that bodies increment, and that shows that every body ran.
final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func increment() {
    count.add(1, ordering: .relaxed)
  }

  /// Stops the program if not all bodies ran: the figures would be meaningless.
  func check(_ expected: Int, in workload: String) {
    precondition(value == expected, "\(value) of \(expected) bodies ran in \(workload)")
  }
}
