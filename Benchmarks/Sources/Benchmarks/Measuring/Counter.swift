import Synchronization

/// The work of a body that does next to nothing, and the proof that every body ran.
final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func increment() {
    count.add(1, ordering: .relaxed)
  }

  /// Stops the program where not all bodies ran: the figures would mean nothing.
  func check(_ expected: Int, in workload: String) {
    precondition(value == expected, "\(value) of \(expected) bodies ran in \(workload)")
  }
}
