import StructuredOperations

/// A random test case: operations, queues and scripts.
///
/// It is run with the library and checked by a ``Referee``.
struct Program: Sendable {
  var queues: [QueuePlan]
  var operations: [OperationPlan]
  /// Each script is run by a task of its own; all run at the same time.
  var scripts: [[Step]]
  /// How the scope of the first queue ends; nil if that queue has no scope, like the others.
  var scope: Scope?
  /// What the program may contain, and the referee must accept.
  var features = ProgramGenerator.Features()
  /// Whether the first failure cancels everything in the scope.
  var cancelsOnFailure = false
  /// The counts of the concurrency limits.
  var limits: [Int] = []
  /// Whether the queues have an observer, so that no operation finishes in one step.
  var isObserved = false

  enum Scope: Sendable {
    case returning, throwing
  }

  struct QueuePlan: Sendable {
    var limit: Int
    var isSuspended: Bool
    var rate: Rate?
  }

  struct OperationPlan: Sendable {
    /// The number that steps refer to; its index, unless shrinking has removed operations.
    var id: Int
    var body: Body
    /// How often the body yields, if it is asynchronous.
    var yields: Int
    var priority: QueuePriority
    var dependencies: [Dependency]
    /// The queue that it is added to at the end, if no step has done so; nil if it is started by hand instead.
    var home: Int?
    /// The operation that the body waits for.
    var waitsFor: Int?
    /// How the body waits; where it waits for no operation, whether it lends its slot while it does what it does.
    var wait = WaitForm.finish
    /// The queue that the body calls `runBarrier` of.
    var barrierCall: BarrierCall?
    /// The concurrency limits that it gets before anything else happens.
    var limits: [LimitCost] = []
    /// What the body does on the clock, if it is asynchronous.
    var time: TimePlan?
  }

  enum WaitForm: CaseIterable, Sendable {
    /// By `waitUntilFinished()`.
    case finish
    /// By `value`, which heeds cancellation.
    case value
    /// By `value`, once the body has cancelled its own operation.
    case cancelledValue
    /// By `waitUntilFinished()`, in a closure that the slot is lent for.
    case lent
    /// By `value`, in such a closure.
    case lentValue

    var isValue: Bool { self == .value || self == .cancelledValue || self == .lentValue }

    var lendsSlot: Bool { self == .lent || self == .lentValue }
  }

  /// The queue that a body calls `runBarrier` of.
  enum BarrierCall: Equatable, Sendable {
    /// Its own, which refuses.
    case own
    case of(queue: Int)
  }

  struct Dependency: Sendable {
    var on: Int
    var requirement: DependencyRequirement
  }

  /// The kinds of bodies.
  enum Body: CaseIterable, Sendable {
    case main, start, callback, lateCallback, doubleCallback, abandoned, blocks
    case throwingMain, throwingStart, throwingBlocks
    /// Throws an error that names itself and what it depended on.
    case throwingLoop
    /// Takes the output of the first dependency.
    case fanIn
    /// Runs until it is released, even if cancelled.
    case held
    /// Runs until it is released or cancelled.
    case heldUnlessCancelled
    /// A callback body that runs until it is released or cancelled; it registers its cancellation handler late.
    case heldCallback
  }

  /// A step of a script.
  enum Step: Sendable {
    case add(Int, queue: Int, AddForm)
    case batch([Int], queue: Int, AddForm)
    case barrier(Int, queue: Int, yields: Int, isThrowing: Bool = false, limits: [Int] = [])
    /// Calls `runBarrier` in a task of its own.
    case barrierCall(Int, queue: Int, yields: Int, isThrowing: Bool = false, limits: [Int] = [])
    /// Cancels a barrier, or the task that calls it.
    case cancelBarrier(Int)
    case call(Int, queue: Int, yields: Int, isThrowing: Bool = false, limits: [Int] = [])
    case cancelCall(Int)
    case close(queue: Int)
    case depend(Int, on: Int, DependencyRequirement)
    case undepend(Int, on: Int)
    case cancel(Int)
    case cancelAll(queue: Int)
    case suspend(queue: Int)
    case resume(queue: Int)
    case limit(Int, queue: Int)
    /// Adds a concurrency limit to an operation, which may be in a queue already.
    case addLimit(Int, LimitCost)
    case setCount(Int, limit: Int)
    /// Suspends a queue for some milliseconds.
    case suspendFor(Int, queue: Int)
    case startRate(Rate?, queue: Int)
    /// Sleeps on the clock for some milliseconds.
    case sleep(Int)
    case start(Int)
    /// Reads all states, or a number of them.
    case observe(Int, upTo: Int?)
    case wait(Int)
    /// Reads the value in a task of its own.
    case value(Int, reader: Int)
    case cancelValue(reader: Int)
    case waitForAll(queue: Int)
    case priority(Int, QueuePriority)
    case release(Int)
    case completionBlock(Int)
    /// Cancels the task around the scope of the first queue.
    case cancelScope
    case pause(Int)
    /// Waits until everything is idle and logs the states, which the referee checks.
    case settle
  }

  enum AddForm: CaseIterable, Sendable {
    case asynchronous, synchronous, strict
  }

  /// Whether a queue takes no more at some time.
  func closes(queue: Int) -> Bool {
    queue == 0 && scope != nil
      || scripts.joined().contains { step in
        if case .close(queue) = step { true } else { false }
      }
  }

  /// The operation with an identifier.
  func operation(_ id: Int) -> OperationPlan? { operations.first { $0.id == id } }
}
