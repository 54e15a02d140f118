/// Which operation a body belongs to, as a task-local value: a body's child tasks inherit it, detached ones do not.
struct ExecutionContext: Sendable {
  let operation: any OperationProtocol
  let host: (any OperationHost)?
  /// The task that runs the body.
  let task: BodyTask

  @TaskLocal static var current: ExecutionContext?

  /// The context of the body whose own task calls this; nil in every other task, also in those that a body starts.
  ///
  /// A task that has inherited the context of an ended body may live where that body's task lived; so the body has to
  /// run still. As long as it does, no other task lives there.
  static var ofOwnTask: ExecutionContext? {
    guard let current, current.task == BodyTask.current, current.operation.core.snapshot.isExecuting else { return nil }
    return current
  }
}
