/// Where and how an operation runs.
///
/// A worker runs one operation after another as long as they are of the same traits.
struct WorkerTraits: Equatable, Sendable {
  /// Nil is the cooperative pool.
  let executor: (any TaskExecutor)?
  /// The raw value of the task's priority; 0 is that of the queue's own tasks.
  private let rawPriority: UInt8

  /// What a queue says for all of its operations.
  struct Defaults: Sendable {
    let executor: (any TaskExecutor)?
    /// The raw value of the least priority; 0 where there is none.
    let rawPriority: UInt8

    var priority: TaskPriority? { TaskPriority.unlessZero(rawPriority) }
  }

  init(of storage: borrowing OperationStorage, in defaults: Defaults) {
    executor = storage.executor ?? defaults.executor ?? storage.defaultExecutor
    rawPriority = max(storage.taskPriority, defaults.rawPriority)
  }

  var priority: TaskPriority? { TaskPriority.unlessZero(rawPriority) }

  static func == (one: Self, other: Self) -> Bool { one.id == other.id }

  /// The same without the executor itself.
  ///
  /// Example: what is kept under a queue's lock held the executor, and would be the last to hold it. It would be freed there,
  /// and its `deinit` is the user's: it may ask the queue something.
  struct ID: Equatable, Sendable {
    fileprivate let executor: ObjectIdentifier?
    fileprivate let rawPriority: UInt8
  }

  var id: ID { ID(executor: executor.map { ObjectIdentifier($0) }, rawPriority: rawPriority) }
}
