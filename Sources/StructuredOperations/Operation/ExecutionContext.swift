/// Which operation a body belongs to, as task-local values: a body's child tasks inherit them, detached ones do not.
struct ExecutionContext: Sendable {
  let operation: any OperationProtocol
  /// The task that runs the body.
  let task: BodyTask

  @TaskLocal static var current: ExecutionContext?

  /// The queue that runs the body; nil where none does.
  ///
  /// On its own, since it is the same for all operations that a child task runs: the counts of references to it are what
  /// threads contend for.
  @TaskLocal static var host: (any OperationHost)?

  /// The context of the body whose own task calls this; nil in every other task, also in those that a body starts.
  ///
  /// A task that has inherited the context of an ended body may live where that body's task lived; so the body has to
  /// run still. As long as it does, no other task lives there.
  static var ofOwnTask: ExecutionContext? {
    guard let current, current.task == BodyTask.current, current.operation.core.snapshot.isExecuting else { return nil }
    return current
  }
}
