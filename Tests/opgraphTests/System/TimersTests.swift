import Testing
import TestSupport

@testable import opgraph

@Suite("Timers")
struct TimersTests {
  private let start = ContinuousClock.now
  private let fired = Locked<[Int]>([])

  private func at(_ seconds: Int) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

  /// The actions that are due, in order.
  private func due(_ timers: inout Timers, at seconds: Int) -> [Int] {
    for action in timers.takeDue(at: at(seconds)) { action() }
    return fired.withLock { fired in
      defer { fired = [] }
      return fired
    }
  }

  private func add(_ timers: inout Timers, _ seconds: Int, name: Int? = nil) -> Timers.ID {
    timers.add(at: at(seconds)) { [fired] in fired.append(name ?? seconds) }
  }

  @Test("Actions are taken once their times have come, in the order of these, and once")
  func order() {
    var timers = Timers()
    for seconds in [5, 1, 4, 2, 3] { _ = add(&timers, seconds) }
    #expect(timers.next == at(1))
    #expect(due(&timers, at: 0) == [])
    #expect(due(&timers, at: 3) == [1, 2, 3])
    #expect(timers.next == at(4))
    #expect(due(&timers, at: 9) == [4, 5])
    #expect(timers.next == nil)
  }

  @Test("Of two at one time the earlier addition is first")
  func equal() {
    var timers = Timers()
    for name in 1...5 { _ = add(&timers, 1, name: name) }
    #expect(due(&timers, at: 1) == [1, 2, 3, 4, 5])
  }

  @Test("One that is removed is not taken, and removing one that was taken does nothing")
  func removal() {
    var timers = Timers()
    let ids = [3, 1, 2, 2].enumerated().map { add(&timers, $1, name: $0) }
    timers.remove(ids[2])
    #expect(due(&timers, at: 1) == [1])
    timers.remove(ids[1])
    #expect(due(&timers, at: 3) == [3, 0])
  }
}
