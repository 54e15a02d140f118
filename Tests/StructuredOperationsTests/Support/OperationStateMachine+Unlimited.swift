@testable import StructuredOperations

// Inputs of operations without concurrency limits, whose place in the lines does not matter.
extension OperationStateMachine {
  mutating func enqueue(_ assignment: Assignment) -> EnqueueAction {
    enqueue(assignment, order: { 0 }, stand: { _, _ in nil })
  }

  mutating func setQueuePriority(_ priority: QueuePriority) -> (any OwningQueue)? {
    setQueuePriority(priority) { 0 }
  }

  mutating func claim() -> OperationReadiness { claim { $0 != .blocked } }
}
