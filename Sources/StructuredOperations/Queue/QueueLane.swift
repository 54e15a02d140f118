/// Where and how an operation runs. A child task runs one operation after another as long as they are of one lane.
struct QueueLane: Equatable, Sendable {
  /// Nil is the cooperative pool.
  let executor: (any TaskExecutor)?
  /// Nil is the priority of the queue's own tasks.
  let priority: TaskPriority?

  static func == (one: Self, other: Self) -> Bool {
    one.executor === other.executor && one.priority == other.priority
  }
}
