import StructuredOperations

/// An executor that runs everything on the calling thread, one job at a time, and picks the next job at random: the
/// same seed gives the same interleaving.
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
/// Each seed is another order of everything that could happen at the same time. Where ``run(stepLimit:_:)`` has nothing
/// left to run before its closure has ended, something waits for what will never come: it says so at once instead of
/// hanging, and the seed in its error repeats what led there.
///
/// What counts as one step is a job: a task up to where it suspends or changes the actor. So no two bodies are ever in the middle of
/// a synchronous stretch at the same time, and races within such a stretch are the thread sanitizer's business.
///
/// A run repeats as long as everything that it does stays on the executor, which ``foreignJobCount`` tells, and depends
/// on nothing else that differs from run to run, such as the time or the order of a `Set`.
public final class SeededExecutor: TaskExecutor, Sendable {
  private struct State: Sendable {
    var pool = JobPool()
    var generator: SeededGenerator
    var stepCount = 0
    var signature: UInt64 = 0xCBF2_9CE4_8422_2325
  }

  /// What the choices come from.
  public let seed: UInt64
  private let state: Guarded<State>

  /// Makes an executor.
  ///
  /// - Parameter seed: What the choices come from; any number is as good as another.
  public init(seed: UInt64) {
    self.seed = seed
    state = Guarded(State(generator: SeededGenerator(seed: seed)))
  }

  /// Takes a job in, from any thread; ``run(stepLimit:_:)`` runs it.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.pool.append(job, from: .current) }
  }

  // MARK: What is so

  /// How many jobs have been run.
  public var stepCount: Int { state.withLock { $0.stepCount } }

  /// A number that stands for all choices made so far: two runs took the same way where it is the same.
  public var signature: UInt64 { state.withLock { $0.signature } }

  /// How many jobs came from other threads during a run.
  ///
  /// Each may come at another moment the next time: where this is not 0, something does not run on the executor, and
  /// the run may not repeat.
  public var foreignJobCount: Int { state.withLock { $0.pool.foreignJobCount } }

  // MARK: Running

  /// Runs a closure and everything that it sets off on the calling thread, until nothing is left to run.
  ///
  /// The closure runs in a task of its own that prefers this executor, and inherits the task-local values of the caller.
  /// Tasks that it starts by `Task { }` do not inherit the preference: give them one, by
  /// `Task(executorPreference: executor)`, and give each queue the executor. What the closure has left behind is run to
  /// its end, too, so that afterwards nothing is under way any more.
  ///
  /// Blocks the calling thread. One run at a time; several in a row go on with the same random numbers.
  ///
  /// - Parameters:
  ///   - stepLimit: How many jobs may be run, so that tasks that chase each other for ever are found, too.
  ///   - body: What is to run.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; ``SeededExecutorError/stalled(seed:steps:)`` where it has not ended and no job
  ///   is left; ``SeededExecutorError/tooManySteps(seed:steps:)``. Tasks that hang are left as they are.
  @discardableResult
  public func run<Output: Sendable>(
    stepLimit: Int = 10_000_000,
    _ body: @escaping @Sendable () async throws -> Output
  ) throws -> Output {
    state.withLock { $0.pool.beginDriving(from: .current) }
    defer { state.withLock { $0.pool.endDriving() } }
    let end = RunEnd<Output>()
    // The caller's priority may be another one the next time, and waits hand it on.
    Task(executorPreference: self, priority: .medium) {
      do {
        end.result = .success(try await body())
      } catch {
        end.result = .failure(error)
      }
    }
    var steps = 0
    while step() {
      steps += 1
      if steps >= stepLimit { throw SeededExecutorError.tooManySteps(seed: seed, steps: steps) }
    }
    guard let result = end.result else { throw SeededExecutorError.stalled(seed: seed, steps: steps) }
    return try result.get()
  }

  /// Suspends until nothing else is left to run: all other tasks of this executor have ended, or wait.
  ///
  /// What has to be so when everything has come to rest can be checked then, without a wait of unknown length. The
  /// caller has to be a task of this executor, inside of ``run(stepLimit:_:)``. Where several tasks wait for this, the
  /// first goes on, and the next when all is idle again.
  public func waitUntilIdle() async {
    await withUnsafeContinuation { waiter in state.withLock { $0.pool.appendIdleWaiter(waiter) } }
  }

  /// Runs one job.
  ///
  /// - Returns: Whether there was one.
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
