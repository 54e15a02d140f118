/// Which operation a body belongs to, as task-local values: a body's child tasks inherit them, detached ones do not.
struct ExecutionContext: Sendable {
  let operation: any OperationProtocol
  /// The task that runs the body, or the child task that stands in for it.
  let task: BodyTask
  /// Nil in the task that runs the body.
  var standIn: StandIn?

  @TaskLocal static var current: ExecutionContext?

  /// The queue that runs the body; nil if none does.
  ///
  /// A value of its own, since it is the same for all operations that a child task runs: threads would contend for its
  /// reference count.
  @TaskLocal static var queue: (any OwningQueue)?

  /// The operation whose body has lent its slot to run a closure, which is running; nil if there is none.
  ///
  /// A value of its own, since few operations lend their slots so: the context of the others stays small.
  @TaskLocal static var lender: (any OperationProtocol)?

  /// What has the limits of the operation, where that was started by hand; nil where it needs none.
  ///
  /// A value of its own, since few operations are started so.
  @TaskLocal static var limitedStart: LimitedStart?

  /// Whether the body has lent its slot for a closure that is running.
  var isSlotLent: Bool { Self.lender === operation }

  /// The context of the body whose own task calls this; nil in every other task, also in those that a body starts.
  ///
  /// Example: a body starts an unstructured task, which inherits the context, and ends. Its task is freed, and the
  /// unstructured task is allocated in its place: the handles are equal. So the operation has to be executing, too; as
  /// long as it is, the memory of its task is in use.
  static var ofOwnTask: ExecutionContext? {
    guard let current, current.task == BodyTask.current, current.operation.snapshot.isExecuting else { return nil }
    return current.standIn?.isOver == true ? nil : current
  }

  /// Runs a closure in the calling task, a child of a body's own task, which stands in for that meanwhile.
  func standingIn(_ body: () async -> Void) async {
    guard let task = BodyTask.current else { preconditionFailure("a child task without a task") }
    let standIn = StandIn()
    await Self.$current.withValue(ExecutionContext(operation: operation, task: task, standIn: standIn)) { await body() }
    standIn.end()
  }
}
