import StructuredOperations

/// An executor that runs all jobs on the calling thread, and picks the next job with a seeded random generator.
///
/// The same seed gives the same interleaving:
///
/// ```swift
/// for seed in UInt64(0)..<1_000 {
///   let executor = SeededExecutor(seed: seed)
///   try executor.run {
///     let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2, executor: executor)
///     await queue.add(download, resize)
///     await resize.waitUntilFinished()
///   }
/// }
/// ```
///
/// Each seed is another order of concurrent work. If ``run(stepLimit:_:)`` has no job left before its closure has
/// ended, the closure waits for something that will never happen. It then throws an error at once instead of hanging,
/// and the seed in the error reproduces the interleaving.
///
/// One step is one job: a part of a task until it suspends or switches to another actor. Jobs never run in parallel, so
/// use the thread sanitizer to find races within synchronous code.
///
/// A run can be reproduced if all of its jobs run on this executor, see ``foreignJobCount``, and if it does not depend
/// on anything else that differs between runs, such as the time or the order of a `Set`.
public final class SeededExecutor: TaskExecutor, Sendable {
  private struct State: Sendable {
    var pool = JobPool()
    var generator: SeededGenerator
    var stepCount = 0
    var signature: UInt64 = 0xCBF2_9CE4_8422_2325
  }

  /// The seed of the random choices.
  public let seed: UInt64
  private let state: Guarded<State>

  /// Makes an executor.
  ///
  /// - Parameter seed: The seed of the random choices: any number.
  public init(seed: UInt64) {
    self.seed = seed
    state = Guarded(State(generator: SeededGenerator(seed: seed)))
  }

  /// Adds a job for ``run(stepLimit:_:)``; may be called on any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.pool.append(job, from: .current) }
  }

  // MARK: Queries

  /// The number of jobs run.
  public var stepCount: Int { state.withLock { $0.stepCount } }

  /// A hash of all choices made so far.
  ///
  /// Runs with the same interleaving have the same signature.
  public var signature: UInt64 { state.withLock { $0.signature } }

  /// The number of jobs that other threads enqueued during runs.
  ///
  /// If this is not 0, something does not run on this executor. Its jobs may arrive at other moments in the next run,
  /// which may then have another interleaving.
  public var foreignJobCount: Int { state.withLock { $0.pool.foreignJobCount } }

  // MARK: Running

  /// Runs a closure, and all work that it starts on this executor, on the calling thread until no job is left.
  ///
  /// The closure runs in a new task that prefers this executor and inherits the caller's task-local values. A task
  /// created with `Task { }` does not inherit the preference: use `Task(executorPreference: executor)`, and pass the
  /// executor to each queue. Jobs that are left when the closure returns are run too.
  ///
  /// Blocks the calling thread. Runs must not overlap; consecutive runs continue the same sequence of random numbers.
  ///
  /// - Parameters:
  ///   - stepLimit: The maximum number of jobs, which ends the run if tasks keep enqueuing jobs for ever.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; ``SeededExecutorError/stalled(seed:steps:)`` if no job is left but the closure
  ///   has not ended; ``SeededExecutorError/tooManySteps(seed:steps:)``. Suspended tasks are left as they are.
  @discardableResult
  public func run<Output: Sendable>(
    stepLimit: Int = 10_000_000,
    _ body: @escaping @Sendable () async throws -> Output
  ) throws -> Output {
    state.withLock { $0.pool.beginDriving(from: .current) }
    defer { state.withLock { $0.pool.endDriving() } }
    let result = OneShot<Result<Output, any Error>>()
    // A fixed priority, because the caller's may differ between runs, and waits propagate it.
    Task(executorPreference: self, priority: .medium) {
      do {
        result.fulfil(with: .success(try await body()))
      } catch {
        result.fulfil(with: .failure(error))
      }
    }
    var steps = 0
    while step() {
      steps += 1
      if steps >= stepLimit { throw SeededExecutorError.tooManySteps(seed: seed, steps: steps) }
    }
    guard let result = result.currentValue else { throw SeededExecutorError.stalled(seed: seed, steps: steps) }
    return try result.get()
  }

  /// Suspends until no job is left: all other tasks of this executor have ended or are suspended.
  ///
  /// Use it to check the state that a program settles in. Call it only in tasks of this executor, inside of
  /// ``run(stepLimit:_:)``. If several tasks wait, the first is resumed, and the next when no job is left again.
  public func waitUntilIdle() async {
    await withUnsafeContinuation { waiter in state.withLock { $0.pool.appendIdleWaiter(waiter) } }
  }

  /// Runs one job, or resumes a task that waits until there is none.
  ///
  /// - Returns: Whether there was a job.
  private func step() -> Bool {
    if let job = nextJob() {
      job.runSynchronously(on: asUnownedTaskExecutor())
      return true
    }
    guard let waiter = state.withLock({ $0.pool.takeIdleWaiter() }) else { return false }
    waiter.resume()
    return true
  }

  private func nextJob() -> UnownedJob? {
    state.withLock { state in
      let count = state.pool.count
      if count == 0 { return nil }
      let choice = count == 1 ? 0 : Int.random(in: 0..<count, using: &state.generator)
      state.stepCount += 1
      for number in [count, choice] {
        state.signature = (state.signature ^ UInt64(truncatingIfNeeded: number)) &* 0x100_0000_01B3
      }
      return state.pool.take(at: choice)
    }
  }
}
