import StructuredOperations

/// An executor that runs each job only when a test calls for it, on the calling thread.
///
/// ```swift
/// let executor = ManualExecutor()
/// let queue = AsyncOperationQueue(executor: executor)
/// queue.add(operation)
/// #expect(!operation.isFinished)
/// executor.runUntilIdle()
/// #expect(operation.isFinished)
/// ```
///
/// Use it in tests that check intermediate states: nothing runs between two steps. To run a task on it, create the task
/// with `Task(executorPreference: executor)`.
///
/// It runs one job at a time: to step in a job, or on two threads at once, stops the program.
public final class ManualExecutor: TaskExecutor, Sendable {
  private let pool = Guarded(JobPool())

  /// Makes an executor.
  public init() {}

  /// Adds a job; may be called on any thread.
  ///
  /// - Parameter job: The job. Swift's runtime calls this.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pool.withLock { $0.append(job, from: .current) }
  }

  /// The number of waiting jobs.
  public var jobCount: Int { pool.withLock { $0.count } }

  /// Runs the job that has waited longest, until its task suspends, switches to another actor, or ends.
  ///
  /// The number of jobs that a piece of code consists of is an implementation detail of the compiler and the runtime.
  /// Tests should not depend on it.
  ///
  /// - Returns: Whether there was a job.
  @discardableResult
  public func step() -> Bool {
    run { $0.takeFirst() }
  }

  /// Runs one of the waiting jobs.
  ///
  /// - Parameter position: Less than ``jobCount``. The last job moves to the position of the one that was run.
  public func step(at position: Int) {
    run { pool in
      if !(0..<pool.count).contains(position) { fatalError("there is no job \(position)") }
      return pool.take(at: position)
    }
  }

  /// Runs jobs in the order of arrival until none is left.
  ///
  /// Does not return as long as tasks keep enqueuing jobs.
  ///
  /// - Returns: The number of jobs run.
  @discardableResult
  public func runUntilIdle() -> Int {
    var count = 0
    while step() { count += 1 }
    return count
  }

  @discardableResult
  private func run(_ take: (inout JobPool) -> UnownedJob?) -> Bool {
    let job = pool.withLock { pool -> UnownedJob? in
      pool.beginDriving(from: .current)
      return take(&pool)
    }
    defer { pool.withLock { $0.endDriving() } }
    job?.runSynchronously(on: asUnownedTaskExecutor())
    return job != nil
  }
}
