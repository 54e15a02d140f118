import Testing

@testable import StructuredOperations

@Suite("BodyTaskLease")
struct BodyTaskLeaseTests {
  private typealias Lease = BodyTaskLease<String, String>

  @Test("A body that nobody cancels ends at once, and another can begin")
  func uncancelled() {
    var lease = Lease.none

    for _ in 0..<2 {
      lease.begin("handle")
      #expect(lease.end() == true)
    }
  }

  @Test("Where no body runs there is no handle to cancel")
  func noHandle() {
    var lease = Lease.none
    #expect(lease.cancel() == nil)

    lease.begin("handle")
    #expect(lease.end() == true)

    #expect(lease.cancel() == nil)
  }

  @Test("The handle is given out once")
  func once() {
    var lease = Lease.none
    lease.begin("handle")

    #expect(lease.cancel() == "handle")
    #expect(lease.cancel() == nil)
    #expect(lease.cancelled() == nil)
    #expect(lease.cancel() == nil)
  }

  @Test("A body that ends while the handle is in use waits, and is woken when it is free")
  func parked() {
    var lease = Lease.none
    lease.begin("handle")
    _ = lease.cancel()

    #expect(lease.end() == false)
    #expect(lease.park("waiter") == true)
    #expect(lease.cancel() == nil)
    #expect(lease.cancelled() == "waiter")

    lease.begin("the next handle")
    #expect(lease.cancel() == "the next handle")
  }

  @Test("A body that comes to wait when the handle is free already goes on")
  func lateToPark() {
    var lease = Lease.none
    lease.begin("handle")
    _ = lease.cancel()

    #expect(lease.end() == false)
    #expect(lease.cancelled() == nil)
    #expect(lease.park("waiter") == false)

    lease.begin("the next handle")
    #expect(lease.end() == true)
  }

  @Test("In every interleaving of a body and two cancellers the handle outlives no use, and nobody waits for ever")
  func interleavings() {
    var exploration = Exploration()
    exploration.explore(Exploration.Step())

    #expect(exploration.problems == [])
    #expect(exploration.endings == ["uncancelled", "cancelled before the end", "parked and woken", "late to park"])
  }
}

extension BodyTaskLeaseTests {
  /// Goes through all orders in which one body and two cancellers can take their steps.
  private struct Exploration {
    private(set) var problems: Set<String> = []
    /// How the body came to its end, in one interleaving or another.
    private(set) var endings: Set<String> = []

    enum Body: Equatable { case idle, running, ended, parked, over }
    enum Canceller: Equatable { case idle, usingHandle, over }

    struct Step {
      var lease = Lease.none
      var body = Body.idle
      var cancellers = [Canceller.idle, .idle]
      var ending = "uncancelled"
    }

    mutating func explore(_ step: Step) {
      if step.body == .over, step.cancellers.contains(.usingHandle) { problems.insert("used after the end: \(step)") }
      if step.cancellers == [.usingHandle, .usingHandle] { problems.insert("used by two: \(step)") }
      let next = (bodySteps(step) + cancellerSteps(step))
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
        if case .cancelled = step.lease { step.ending = "cancelled before the end" }
        step.body = step.lease.end() ? .over : .ended
      case .ended:
        let isParked = step.lease.park("waiter")
        step.ending = isParked ? "parked and woken" : "late to park"
        step.body = isParked ? .parked : .over
      case .parked, .over: return []
      }
      return [step]
    }

    private mutating func cancellerSteps(_ before: Step) -> [Step] {
      before.cancellers.indices.compactMap { index in
        var step = before
        switch step.cancellers[index] {
        case .idle:
          step.cancellers[index] = step.lease.cancel() == nil ? .over : .usingHandle
        case .usingHandle:
          step.cancellers[index] = .over
          if step.lease.cancelled() != nil {
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
