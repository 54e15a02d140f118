import StructuredOperations

/// Something to do with operations and queues, made from a seed, run for real and judged by a ``Referee``.
struct Program: Sendable {
  var queues: [QueuePlan]
  var operations: [OperationPlan]
  /// Each is run by a task of its own, all at the same time.
  var scripts: [[Step]]
  /// How the scope of the first queue ends; nil where that queue stands free, as the others do.
  var scope: Scope?
  /// What the program may contain, and the referee has to let pass.
  var features = ProgramGenerator.Features()

  enum Scope: Sendable {
    case returning, throwing
  }

  struct QueuePlan: Sendable {
    var limit: Int
    var isSuspended: Bool
  }

  struct OperationPlan: Sendable {
    /// What steps call it; its place where nothing has been left out.
    var id: Int
    var body: Body
    /// How often the body yields, where it can.
    var yields: Int
    var priority: QueuePriority
    var dependencies: [Dependency]
    /// Where it is added at the end, if no step has run it; nil where it is started by hand then.
    var home: Int?
    /// The operation that the body waits for.
    var waitsFor: Int?
  }

  struct Dependency: Sendable {
    var on: Int
    var requirement: DependencyRequirement
  }

  /// What a body consists of.
  enum Body: CaseIterable, Sendable {
    case main, start, callback, lateCallback, doubleCallback, abandoned, blocks
    case throwingMain, throwingStart, throwingBlocks
    /// Gets the output of the first dependency.
    case fanIn
    /// Goes on until it is released, whether cancelled or not.
    case held
    /// Goes on until it is released or cancelled.
    case heldUnlessCancelled
    /// The same in a callback that asks to be told of a cancellation some time after it began.
    case heldCallback
  }

  /// What a script does next.
  enum Step: Sendable {
    case add(Int, queue: Int, AddForm)
    case batch([Int], queue: Int, AddForm)
    case barrier(Int, queue: Int, yields: Int)
    case call(Int, queue: Int, yields: Int)
    case cancelCall(Int)
    case depend(Int, on: Int, DependencyRequirement)
    case undepend(Int, on: Int)
    case cancel(Int)
    case cancelAll(queue: Int)
    case suspend(queue: Int)
    case resume(queue: Int)
    case limit(Int, queue: Int)
    case start(Int)
    /// Reads all states, or so many of them.
    case observe(Int, upTo: Int?)
    case wait(Int)
    case waitForAll(queue: Int)
    case priority(Int, QueuePriority)
    case release(Int)
    case completionBlock(Int)
    /// Cancels the task around the scope of the first queue.
    case cancelScope
    case pause(Int)
    /// Lets everything come to rest, and has it looked at.
    case settle
  }

  enum AddForm: CaseIterable, Sendable {
    case asynchronous, synchronous, strict
  }

  /// What a step deals with, so that a program without it can be told.
  func operation(_ id: Int) -> OperationPlan? { operations.first { $0.id == id } }
}

extension Program.Step {
  /// The operations that the step names.
  var operations: [Int] {
    switch self {
    case .add(let id, _, _), .cancel(let id), .start(let id), .observe(let id, _), .wait(let id),
      .priority(let id, _), .release(let id), .completionBlock(let id):
      [id]
    case .batch(let ids, _, _): ids
    case .depend(let id, let other, _), .undepend(let id, let other): [id, other]
    case .barrier, .call, .cancelCall, .cancelAll, .suspend, .resume, .limit, .waitForAll, .cancelScope, .pause,
      .settle:
      []
    }
  }

  /// Whether the step puts operations into a queue.
  var isAdding: Bool {
    switch self {
    case .add, .batch: true
    default: false
    }
  }

  /// The step without an operation; nil where nothing is left of it.
  func leavingOut(_ id: Int) -> Self? {
    guard operations.contains(id) else { return self }
    guard case .batch(let ids, let queue, let form) = self else { return nil }
    let rest = ids.filter { $0 != id }
    return rest.isEmpty ? nil : .batch(rest, queue: queue, form)
  }
}
