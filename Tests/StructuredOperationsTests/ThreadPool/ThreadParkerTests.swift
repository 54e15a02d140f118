import Foundation
import Testing
import TestSupport

@testable import StructuredOperations

@Suite("ThreadParker", .hangGuard)
struct ThreadParkerTests {
  @Test("A wake-up that comes first is not lost")
  func wakeFirst() {
    let parker = ThreadParker()
    parker.wake()
    #expect(parker.park(microseconds: 600_000_000))
  }

  @Test("A wake-up counts once")
  func once() {
    let parker = ThreadParker()
    parker.wake()
    parker.wake()
    #expect(parker.park(microseconds: 600_000_000))
    #expect(!parker.park(microseconds: 0))
  }

  @Test("A thread that nobody wakes gets up when the time is up", arguments: [0, 1, 999, 1_000_001])
  func timeout(microseconds: Int) {
    let start = ContinuousClock.now
    #expect(!ThreadParker().park(microseconds: microseconds))
    // The clocks are not the same one.
    #expect(ContinuousClock.now - start > .microseconds(microseconds) * 0.9)
  }

  @Test("A sleeping thread is woken, any number of times")
  func wakesThread() {
    let (ping, pong) = (ThreadParker(), ThreadParker())
    let thread = Thread {
      for _ in 0..<1_000 where ping.park(microseconds: 600_000_000) { pong.wake() }
    }
    thread.start()
    for _ in 0..<1_000 {
      ping.wake()
      #expect(pong.park(microseconds: 600_000_000))
    }
  }
}
