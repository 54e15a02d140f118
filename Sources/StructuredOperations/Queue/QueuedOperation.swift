/// What a queue schedules. It keeps the operation usable until its end.
struct QueuedOperation: Sendable {
  let operation: any OperationProtocol
  let core: OperationCore
  /// The task that runs the body, where that is none of the queue's.
  let caller: RunTicket?

  init(_ operation: any OperationProtocol, caller: RunTicket? = nil) {
    self.operation = operation
    self.caller = caller
    core = operation.core
  }
}
