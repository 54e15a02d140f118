import Foundation
import StructuredOperations
import Synchronization
import Testing
import TestSupport

/// What comes in the middle of something short, tried on threads that meet each time.
@Suite("Observers that come while something changes", .hangGuard)
struct ObserverRaceTests {
  @Test("An observer that comes while an operation is cancelled misses nothing")
  func cancelling() async throws {
    let operations = (0..<20_000).map { _ in AsyncOperation {} }
    let observed = Locked<[StateSequence<OperationSnapshot>]>([])
    let (here, there) = (Turnstile(), Turnstile())
    let isOver = Gate()
    Thread.detachNewThread {
      for operation in operations {
        here.arrive(before: there)
        operation.cancel()
      }
    }
    Thread.detachNewThread {
      for operation in operations {
        there.arrive(before: here)
        let states = operation.states
        observed.append(states)
      }
      isOver.open()
    }
    await isOver.wait()

    for (operation, states) in zip(operations, observed.current) {
      try await operation.start()
      var history: [OperationSnapshot] = []
      for await snapshot in states { history.append(snapshot) }
      #expect(fault(in: history) == nil)
    }
  }
}

/// Where one of two threads waits for the other.
private final class Turnstile: Sendable {
  private let arrivals = Atomic(0)

  /// Arrives, and waits until the other has arrived as often.
  func arrive(before other: Turnstile) {
    let round = arrivals.add(1, ordering: .acquiringAndReleasing).newValue
    while other.arrivals.load(ordering: .acquiring) < round { sched_yield() }
  }
}
