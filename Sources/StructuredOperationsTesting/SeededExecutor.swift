package import StructuredOperations

/// An executor that runs all jobs on the calling thread, and picks the next job with a seeded random generator.
///
/// The same seed gives the same interleaving:
///
/// ```swift
/// for seed in UInt64(0)..<1_000 {
///   let executor = SeededExecutor(seed: seed)
///   try executor.run {
///     let queue = AsyncOperationQueue(
///       maxConcurrentOperationCount: 2, executor: executor)
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
/// With a ``VirtualClock`` time is part of the run: where nothing is left to run but tasks that sleep on that clock, it jumps
/// to the moment for which the first of them sleeps. So programs with time-outs, retries and rates run in no time, and
/// repeat. Give the clock to whatever takes one, and to the queues, beside the executor.
///
/// A run can be reproduced if all of its jobs run on this executor, see ``foreignJobCount``, and if it does not depend
/// on anything else that differs between runs, such as the time of the system or the order of a `Set`. Where an operation with an
/// executor of its own closes a loop of waits through everything in a queue, the run may stall instead of finding the loop.
public final class SeededExecutor: TaskExecutor, Sendable {
  private struct State: Sendable {
    var pool = JobPool()
    var generator: SeededGenerator
    var stepCount = 0
    var signature: UInt64 = 0xCBF2_9CE4_8422_2325
    /// What tasks of this executor sleep for on other clocks than its own, by number.
    var foreignSleeps: [Int: OperationSleep] = [:]
    var nextSleepID = 0
    /// In the order of making.
    var queues: [WeakQueue] = []
    /// How many of them there are when those that are gone are left out.
    var countForSweep = 64
  }

  private struct WeakQueue: Sendable {
    weak var queue: AsyncOperationQueue?
  }

  /// Sets the choices for a seed apart from the numbers of a ``SeededGenerator`` with the same seed.
  ///
  /// Example of why: a test draws the times of its stand-ins with the seed of the run. The order of two operations would follow from
  /// the draw, under every seed.
  package static let ownStream: UInt64 = 0xD1B5_4A32_D192_ED03

  /// The seed of the random choices.
  public let seed: UInt64
  private let clock: VirtualClock?
  private let state: Guarded<State>

  /// Makes an executor.
  ///
  /// - Parameters:
  ///   - seed: The seed of the random choices: any number. They are independent of the numbers of ``SeededGenerator``, with
  ///     the same seed, too.
  ///   - clock: The clock that this executor moves on, and nobody else.
  public init(seed: UInt64, clock: VirtualClock? = nil) {
    self.seed = seed
    self.clock = clock
    state = Guarded(State(generator: SeededGenerator(seed: seed ^ Self.ownStream)))
  }

  /// Adds a job for ``run(stepLimit:_:)``; may be called on any thread.
  ///
  /// - Parameter job: The job. Swift's runtime calls this.
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
  /// executor to each queue. Jobs that are left when the closure returns are run too, and so is what sleeps on the clock of
  /// the executor.
  ///
  /// Blocks the calling thread. Runs must not overlap; consecutive runs continue the same sequence of random numbers.
  ///
  /// - Parameters:
  ///   - stepLimit: The maximum number of steps, which ends the run if tasks keep enqueuing jobs for ever: of jobs, of
  ///     tasks that wait for idleness and are resumed, and of times that the clock is moved on. A run that needs exactly so
  ///     many passes.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure, also where what the closure has left behind needs more steps than the limit;
  ///   ``SeededExecutorError/stalled(seed:steps:explanations:)`` if no job is left but the closure has not ended, or
  ///   ``SeededExecutorError/asleep(seed:steps:sleeps:explanations:)`` if something sleeps on another clock then;
  ///   ``SeededExecutorError/tooManySteps(seed:steps:)`` if the run needs more than the limit, though the closure may have returned.
  ///   Suspended tasks are left as they are.
  @discardableResult
  public func run<Output: Sendable>(
    stepLimit: Int = 10_000_000,
    _ body: @escaping @Sendable () async throws -> Output
  ) throws -> Output {
    state.withLock { state in
      state.pool.beginDriving(from: .current)
      // Those of an earlier run say nothing about this one.
      state.foreignSleeps = [:]
    }
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
    let steps = Result { try ReproducibleExecutors.withRunning(self) { try runSteps(upTo: stepLimit) } }
    let outcome = result.currentValue
    // That says more than what it has left behind, and goes on for ever.
    if case .failure(let error)? = outcome { throw error }
    let stepCount = try steps.get()
    guard let outcome else { throw stall(after: stepCount) }
    return try outcome.get()
  }

  /// - Returns: How many it were until nothing was left.
  private func runSteps(upTo limit: Int) throws -> Int {
    var steps = 0
    while steps < limit {
      guard step() else { return steps }
      steps += 1
    }
    // Looked for and not run: a run that needs as many steps as it may have ends like any other.
    if hasNextStep { throw SeededExecutorError.tooManySteps(seed: seed, steps: steps) }
    return steps
  }

  private var hasNextStep: Bool { !state.withLock { $0.pool.isEmpty } || clock?.sleeperCount ?? 0 > 0 }

  private func stall(after steps: Int) -> SeededExecutorError {
    let sleeps = state.withLock { state in state.foreignSleeps.sorted { $0.key < $1.key }.map(\.value) }
    let explanations = ReproducibleExecutors.withRunning(self) { self.explanations() }
    if sleeps.isEmpty { return .stalled(seed: seed, steps: steps, explanations: explanations) }
    let texts = sleeps.map { "\($0.purpose) on a \(type(of: $0.clock))" }
    return .asleep(seed: seed, steps: steps, sleeps: texts, explanations: explanations)
  }

  /// Why the operations in the executor's queues have not finished, now that nothing is left to run.
  ///
  /// The jobs that find out are run in the order of their arrival, and are neither counted nor chosen: a run that
  /// follows is the same as without.
  private func explanations() -> [QueueExplanation] {
    let result = OneShot<[QueueExplanation]>()
    let queues = knownQueues()
    if queues.isEmpty { return [] }
    Task(executorPreference: self, priority: .medium) {
      var explanations: [QueueExplanation] = []
      for queue in queues {
        let explanation = await queue.explanation
        if !explanation.isEmpty { explanations.append(explanation) }
      }
      result.fulfil(with: explanations)
    }
    while result.currentValue == nil, let job = state.withLock({ $0.pool.takeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
    // Nil where a queue is busy on another executor.
    return result.currentValue ?? []
  }

  private func knownQueues() -> [AsyncOperationQueue] { state.withLock { $0.queues.compactMap(\.queue) } }

  /// Suspends until no job is left: all other tasks of this executor have ended or are suspended.
  ///
  /// Time does not go on before: tasks that sleep on the executor's clock are among the suspended ones.
  ///
  /// Use it to check the state that a program settles in. Call it only in tasks of this executor, inside of
  /// ``run(stepLimit:_:)``: the program stops where no run is under way, since nobody would resume the caller. If several tasks wait, the
  /// first is resumed, and the next when no job is left again.
  public func waitUntilIdle() async {
    await withUnsafeContinuation { waiter in state.withLock { $0.pool.appendIdleWaiter(waiter) } }
  }

  /// Runs one job; where there is none, resumes a task that waits for that; where there is none of these, moves time on.
  ///
  /// - Returns: Whether there was anything to do.
  private func step() -> Bool {
    if let job = nextJob() {
      job.runSynchronously(on: asUnownedTaskExecutor())
      return true
    }
    if let waiter = state.withLock({ $0.pool.takeIdleWaiter() }) {
      waiter.resume()
      return true
    }
    return clock?.advanceToNext() == true
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

extension SeededExecutor: ReproducibleExecutor {
  package func nextRandomNumber() -> UInt64 { state.withLock { $0.generator.next() } }

  package func made(_ queue: any AnyObject & Sendable) {
    guard let queue = queue as? AsyncOperationQueue else { return }
    // Held until the lock is released, since a queue must not be freed under it.
    let known = state.withLock { state in
      let known = state.queues.count >= state.countForSweep ? state.queues.map(\.queue) : []
      if !known.isEmpty {
        state.queues.removeAll { $0.queue == nil }
        state.countForSweep = max(64, 2 * state.queues.count)
      }
      state.queues.append(WeakQueue(queue: queue))
      return known
    }
    withExtendedLifetime(known) {}
  }

  package func isOwn(_ other: any Clock<Duration>) -> Bool { clock != nil && other as? VirtualClock === clock }

  package func sleepBegan(_ sleep: OperationSleep) -> Int {
    let isOwn = isOwn(sleep.clock)
    return state.withLock { state in
      let id = state.nextSleepID
      state.nextSleepID += 1
      if !isOwn { state.foreignSleeps[id] = sleep }
      return id
    }
  }

  package func sleepEnded(_ id: Int) {
    // Freed outside of the lock: clocks are the user's.
    _ = state.withLock { $0.foreignSleeps.removeValue(forKey: id) }
  }
}
