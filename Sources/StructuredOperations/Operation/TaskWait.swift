import Synchronization

/// The wait of a task that a body has started: a child task of it, or one made by `Task { }`.
///
/// It lends no slot and is no part of the graph, so it costs no search; only explanations tell it.
final class TaskWait: Sendable {
  let subject: BodyWait.Subject
  /// The order of all such waits.
  let number = TaskWait.count.add(1, ordering: .relaxed).newValue
  private let storage: OperationStorage

  private static let count = Atomic(0)

  private init(of storage: OperationStorage, for subject: BodyWait.Subject) {
    self.storage = storage
    self.subject = subject
  }

  /// Begins, where the calling task belongs to a body that runs.
  ///
  /// - Returns: What ``end()`` has to follow for; nil in a task of no body, which pays no more than the look at its context.
  static func begin(for subject: @autoclosure () -> BodyWait.Subject) -> TaskWait? {
    guard let context = ExecutionContext.current else { return nil }
    let wait = TaskWait(of: context.operation.storage, for: subject())
    return wait.storage.apply { $0.taskWaitBegan(wait) } ? wait : nil
  }

  func end() { storage.apply { $0.taskWaitEnded(self) } }
}

extension OperationStateMachine {
  /// - Returns: Whether the body runs.
  mutating func taskWaitBegan(_ wait: TaskWait) -> Bool {
    guard case .executing = state else { return false }
    changeRare { $0.taskWaits[wait.number] = wait }
    return true
  }

  mutating func taskWaitEnded(_ wait: TaskWait) {
    // Its caller holds the wait, so nothing is freed here.
    _ = connections.changeIfPresent { connections in
      connections.rare.changeIfPresent { $0.taskWaits.removeValue(forKey: wait.number) }
    }
  }
}
