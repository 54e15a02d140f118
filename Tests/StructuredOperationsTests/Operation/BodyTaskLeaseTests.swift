import Testing

@testable import StructuredOperations

@Suite("BodyTaskLease")
struct BodyTaskLeaseTests {
  private typealias Lease = BodyTaskLease<String, String>

  @Test("A body whose handle nobody uses ends at once, and another can begin")
  func unused() {
    var lease = Lease.none

    for _ in 0..<2 {
      lease.begin("handle")
      #expect(lease.end() == true)
    }
  }

  @Test("Where no body runs there is no handle")
  func noHandle() {
    var lease = Lease.none
    #expect(lease.lease() == nil)

    lease.begin("handle")
    #expect(lease.end() == true)

    #expect(lease.lease() == nil)
  }

  @Test("Several may use the handle at a time, and again later; the body ends when all are through")
  func several() {
    var lease = Lease.none
    lease.begin("handle")

    #expect(lease.lease() == "handle")
    #expect(lease.released() == nil)
    #expect(lease.lease() == "handle")
    #expect(lease.lease() == "handle")
    #expect(lease.released() == nil)
    #expect(lease.end() == false)
    #expect(lease.released() == nil)
    #expect(lease.park("waiter") == false)
    #expect(lease.lease() == nil)
  }

  @Test("A body that ends while the handle is in use waits, and is woken when it is free")
  func parked() {
    var lease = Lease.none
    lease.begin("handle")
    _ = lease.lease()
    _ = lease.lease()

    #expect(lease.end() == false)
    #expect(lease.park("waiter") == true)
    #expect(lease.lease() == nil)
    #expect(lease.released() == nil)
    #expect(lease.released() == "waiter")

    lease.begin("the next handle")
    #expect(lease.lease() == "the next handle")
  }

  @Test("A body that comes to wait when the handle is free already does not wait")
  func lateToPark() {
    var lease = Lease.none
    lease.begin("handle")
    _ = lease.lease()

    #expect(lease.end() == false)
    #expect(lease.released() == nil)
    #expect(lease.park("waiter") == false)

    lease.begin("the next handle")
    #expect(lease.end() == true)
  }

  @Test("In every interleaving of a body and two users the handle outlives no use, and nobody waits for ever")
  func interleavings() {
    var exploration = Exploration()
    exploration.explore(Exploration.Step())

    #expect(exploration.problems == [])
    #expect(exploration.endings == ["at once", "parked and woken", "late to park"])
  }
}

extension BodyTaskLeaseTests {
  /// Goes through all orders in which one body and two users can take their steps.
  private struct Exploration {
    private(set) var problems: Set<String> = []
    /// How the body came to its end, in one interleaving or another.
    private(set) var endings: Set<String> = []

    enum Body: Equatable { case idle, running, ended, parked, over }
    enum User: Equatable { case idle, usingHandle, over }

    struct Step {
      var lease = Lease.none
      var body = Body.idle
      var users = [User.idle, .idle]
      var ending = "at once"
    }

    mutating func explore(_ step: Step) {
      if step.body == .over, step.users.contains(.usingHandle) { problems.insert("used after the end: \(step)") }
      let next = (bodySteps(step) + userSteps(step))
      if next.isEmpty { checkEnd(step) }
      for step in next { explore(step) }
    }

    private mutating func checkEnd(_ step: Step) {
      if step.body != .over { problems.insert("the body waits for ever: \(step)") }
      if case .none = step.lease {} else { problems.insert("the lease is held for ever: \(step)") }
      endings.insert(step.ending)
    }

    private func bodySteps(_ step: Step) -> [Step] {
      var step = step
      switch step.body {
      case .idle:
        step.lease.begin("handle")
        step.body = .running
      case .running:
        step.body = step.lease.end() ? .over : .ended
      case .ended:
        let isParked = step.lease.park("waiter")
        step.ending = isParked ? "parked and woken" : "late to park"
        step.body = isParked ? .parked : .over
      case .parked, .over: return []
      }
      return [step]
    }

    private mutating func userSteps(_ before: Step) -> [Step] {
      before.users.indices.compactMap { index in
        var step = before
        switch step.users[index] {
        case .idle:
          step.users[index] = step.lease.lease() == nil ? .over : .usingHandle
        case .usingHandle:
          step.users[index] = .over
          if step.lease.released() != nil {
            if step.body != .parked { problems.insert("woken without waiting: \(before)") }
            step.body = .over
          }
        case .over: return nil
        }
        return step
      }
    }
  }
}

extension BodyTaskLease {
  /// A body begins in a task.
  fileprivate mutating func begin(_ handle: Handle) { self = .running(handle) }
}
