/// Which operation a body belongs to, as a task-local value: a body's child tasks inherit it, detached ones do not.
struct ExecutionContext: Sendable {
  let operation: any OperationProtocol
  let host: (any OperationHost)?

  @TaskLocal static var current: ExecutionContext?
}
