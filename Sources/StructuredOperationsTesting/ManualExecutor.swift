import StructuredOperations

/// An executor that runs a job when it is told to, on the thread that tells it.
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
/// It is for tests that look at what is so in between: between two steps nothing moves. A task enters it by
/// `Task(executorPreference: executor)`.
public final class ManualExecutor: TaskExecutor, Sendable {
  private let pool = Guarded(JobPool())

  /// Makes an executor.
  public init() {}

  /// Takes a job in, from any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pool.withLock { $0.append(job, from: .current) }
  }

  /// How many jobs wait to be run.
  public var jobCount: Int { pool.withLock { $0.count } }

  /// Runs the job that has waited longest, up to where its task suspends, changes the actor, or ends.
  ///
  /// How many jobs something consists of is up to the compiler and the runtime: do not count them.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func step() -> Bool {
    run { $0.takeFirst() }
  }

  /// Runs one of the jobs that wait.
  ///
  /// - Parameter position: Below ``jobCount``. The last job takes the place of the one that was run.
  public func step(at position: Int) {
    run { pool in
      precondition(pool.count > position, "there is no job \(position)")
      return pool.take(at: position)
    }
  }

  /// Runs jobs until none is left, in the order in which they come.
  ///
  /// It does not return while tasks keep each other busy.
  ///
  /// - Returns: How many jobs that were.
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
