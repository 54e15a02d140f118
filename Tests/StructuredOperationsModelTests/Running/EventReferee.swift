import StructuredOperations
import TestSupport

/// Observes the queues of a program, and checks what it is told: legal orders, one event of an operation at a time, and
/// never more bodies between their waits than slots.
///
/// It keeps neither operations nor queues.
final class EventReferee: OperationObserver {
  /// What was told of an operation that has not finished.
  private struct Course {
    var kinds: [OperationEvent.Kind] = []
    var isBeingTold = false

    var isWaiting: Bool { kinds.last { $0 != .cancelled } == .waitBegan }

    /// Whether the event may come now.
    func accepts(_ kind: OperationEvent.Kind) -> Bool {
      let isStarted = kinds.contains(.started)
      let isUnchosen = kinds.contains(.added) && !isStarted && !kinds.contains(.cancelled)
      return switch kind {
      case .added: kinds.isEmpty
      case .ready: isUnchosen && kinds.last != .ready
      case .blocked: isUnchosen && kinds.last != .blocked
      case .started: isUnchosen && kinds.last == .ready
      case .waitBegan: isStarted && !isWaiting
      case .waitEnded: isWaiting
      case .cancelled: kinds.contains(.added) && !kinds.contains(.cancelled)
      case .finished: kinds.contains(.added) && !isWaiting
      }
    }
  }

  private struct State {
    var courses: [ObjectIdentifier: Course] = [:]
    /// The bodies of each queue between their waits.
    var running: [String: Int] = [:]
    var faults: [String] = []
  }

  private let state = Locked(State())
  /// The highest limit that each queue ever has.
  private let slots: [String: Int]

  init(_ program: Program) {
    var slots: [String: Int] = [:]
    for (number, plan) in program.queues.enumerated() {
      var limits = [plan.limit, 2]
      for case .limit(let limit, let queue) in program.scripts.joined() where queue == number { limits.append(limit) }
      // -1 is the default, which no program reaches.
      slots["q\(number)"] = limits.contains(-1) ? .max : limits.max()
    }
    self.slots = slots
  }

  func observe(_ event: OperationEvent) {
    let (id, label) = (ObjectIdentifier(event.operation), event.operation.name ?? "?")
    let queue = event.queue?.name ?? "none"
    let (isExecuting, isFinished) = (event.operation.isExecuting, event.operation.isFinished)
    state.withLock { state in
      var course = state.courses[id] ?? Course()
      func fault(_ message: String) {
        state.faults.append("\(label) was told \(event.kind) \(message), \(course.kinds)")
      }
      if course.isBeingTold { fault("while another event was told") }
      if !course.accepts(event.kind) { fault("out of order") }
      course.kinds.append(event.kind)
      course.isBeingTold = true
      switch event.kind {
      case .started, .waitEnded: state.running[queue, default: 0] += 1
      case .waitBegan: state.running[queue, default: 0] -= 1
      case .finished: if course.kinds.contains(.started) { state.running[queue, default: 0] -= 1 }
      case .added, .ready, .blocked, .cancelled: break
      }
      if state.running[queue, default: 0] > slots[queue, default: .max] { fault("beyond the limit of \(queue)") }
      switch event.kind {
      case .started, .waitBegan, .waitEnded: if !isExecuting { fault("while it does not execute") }
      case .finished: if !isFinished { fault("before it has finished") }
      // It may have changed again since.
      case .added, .blocked, .ready, .cancelled: break
      }
      state.courses[id] = course
    }
    state.withLock { state in
      if event.kind == .finished { state.courses[id] = nil } else { state.courses[id]?.isBeingTold = false }
    }
  }

  /// What is wrong, once everything has finished.
  var faults: [String] {
    state.withLock { state in
      state.faults + state.courses.values.map { "\($0.kinds) was told, and no end" }
        + state.running.filter { $0.value != 0 }.map { "\($0.value) bodies of \($0.key) run at the end" }
    }
  }
}
