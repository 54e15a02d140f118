/// Which operation a body belongs to, as task-local values: a body's child tasks inherit them, detached ones do not.
struct ExecutionContext: Sendable {
  let operation: any OperationProtocol
  /// The task that runs the body, or the child task that stands in for it.
  let task: BodyTask
  /// Nil in the task that runs the body.
  var standIn: TimeoutTask?

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
  static var ofOwnTask: ExecutionContext? { ofOwnTask(BodyTask.current) }

  /// The same, where the calling task is known.
  ///
  /// Example: a body starts an unstructured task, which inherits the context, and ends. Its task is freed, and the
  /// unstructured task is allocated in its place: the handles are equal. So the operation has to be executing, too; as
  /// long as it is, the memory of its task is in use.
  static func ofOwnTask(_ task: BodyTask?) -> ExecutionContext? {
    guard let current, current.task == task, current.operation.snapshot.isExecuting else { return nil }
    return current.standIn?.hasEnded == true ? nil : current
  }
}
