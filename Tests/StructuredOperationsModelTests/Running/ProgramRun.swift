import StructuredOperations
import StructuredOperationsTesting

/// One run of a program, on a seeded executor or on threads.
final class ProgramRun: Sendable {
  /// The error that bodies throw.
  ///
  /// The identifier is the operation's; for a barrier 1000 more than the barrier's, for a call of `run` 2000 more than the
  /// call's; -1 for the scope.
  struct Failure: Error, Equatable {
    let id: Int
  }

  /// An observer and the states that it receives.
  private struct Observation: Sendable {
    let id: Int
    let isWhole: Bool
    let task: Task<[OperationSnapshot], Never>
  }

  /// What can be cancelled of a barrier.
  private enum BarrierHandle {
    case operation(AsyncOperation<Int>)
    case call(Task<Void, Never>)
  }

  let program: Program
  let log: EventLog
  let gates: [Int: Gate]
  /// Nil means the cooperative pool and the threads for synchronous bodies.
  let executor: SeededExecutor?
  /// Nil on threads, where nothing takes time.
  let clock: VirtualClock?
  let limits: [ConcurrencyLimit]
  private let observer: EventReferee?
  private let actors = Guarded<(operations: [Int: any OperationProtocol], queues: [AsyncOperationQueue])>(([:], []))
  private let observations = Guarded<[Observation]>([])
  private let tasks = Guarded<[Task<Void, Never>]>([])
  private let calls = Guarded<[Int: Task<Void, Never>]>([:])
  private let barriers = Guarded<[Int: BarrierHandle]>([:])
  private let readers = Guarded<[Int: Task<Void, Never>]>([:])
  private let scope = Guarded<Task<Void, Never>?>(nil)

  init(_ program: Program, executor: SeededExecutor?, clock: VirtualClock? = nil) {
    self.program = program
    self.executor = executor
    self.clock = clock
    log = EventLog(clock: clock)
    limits = program.limits.map { ConcurrencyLimit($0) }
    observer = program.isObserved ? EventReferee(program) : nil
    gates = Dictionary(uniqueKeysWithValues: program.operations.map { ($0.id, Gate()) })
  }

  // MARK: Access

  func operation(_ id: Int) -> (any OperationProtocol)? { actors.withLock { $0.operations[id] } }

  var operations: [Int: any OperationProtocol] { actors.withLock { $0.operations } }

  func queue(_ number: Int) -> AsyncOperationQueue { actors.withLock { $0.queues[number] } }

  /// The operations that have finished.
  var finished: Set<Int> { Set(operations.filter { $0.value.isFinished }.keys) }

  /// Why operations have not finished.
  var explanations: [String] {
    get async {
      var explanations: [String] = []
      for (_, operation) in operations.sorted(by: { $0.key < $1.key }) where !operation.isFinished {
        explanations.append(String(describing: await operation.explanation))
      }
      return explanations
    }
  }

  /// The operations that are pending.
  var pending: Set<Int> { Set(operations.filter { $0.value.state == .pending }.keys) }

  // MARK: Tasks

  /// Starts a task that the run waits for at its end.
  func spawn(_ body: @escaping @Sendable () async -> Void) {
    let task = Task(executorPreference: executor, operation: body)
    tasks.withLock { $0.append(task) }
  }

  func spawnCall(_ id: Int, _ body: @escaping @Sendable () async -> Void) {
    let task = Task(executorPreference: executor, operation: body)
    calls.withLock { $0[id] = task }
    tasks.withLock { $0.append(task) }
  }

  /// Cancels the task of a call of `run`, if there is one.
  func cancelCall(_ id: Int) {
    guard let call = calls.withLock({ $0[id] }) else { return }
    log.append(.callCancelled(id))
    call.cancel()
  }

  func spawnBarrierCall(_ id: Int, _ body: @escaping @Sendable () async -> Void) {
    let task = Task(executorPreference: executor, operation: body)
    barriers.withLock { $0[id] = .call(task) }
    tasks.withLock { $0.append(task) }
  }

  func keep(_ barrier: AsyncOperation<Int>, _ id: Int) { barriers.withLock { $0[id] = .operation(barrier) } }

  /// Cancels a barrier or the task that calls it, if there is one.
  func cancelBarrier(_ id: Int) {
    guard let barrier = barriers.withLock({ $0[id] }) else { return }
    log.append(.barrierCancelled(id))
    switch barrier {
    case .operation(let operation): operation.cancel()
    case .call(let task): task.cancel()
    }
  }

  func spawnReader(_ number: Int, _ body: @escaping @Sendable () async -> Void) {
    let task = Task(executorPreference: executor, operation: body)
    readers.withLock { $0[number] = task }
    tasks.withLock { $0.append(task) }
  }

  /// Cancels the task that reads a value, if there is one.
  func cancelReader(_ number: Int) {
    guard let reader = readers.withLock({ $0[number] }) else { return }
    log.append(.valueCancelled(reader: number))
    reader.cancel()
  }

  /// Starts to observe an operation.
  ///
  /// - Parameter count: How many states are read; nil means all.
  func observe(_ id: Int, upTo count: Int?) {
    guard let states = operation(id)?.states else { return }
    let task = Task(executorPreference: executor) {
      var history: [OperationSnapshot] = []
      if let count, history.count >= count { return history }
      for await snapshot in states {
        history.append(snapshot)
        if let count, history.count >= count { break }
      }
      return history
    }
    observations.withLock { $0.append(Observation(id: id, isWhole: count == nil, task: task)) }
  }

  // MARK: The run

  /// Runs the program to its end.
  func run() async throws -> RunRecord {
    if program.scope == nil {
      try await runScripts(scoped: nil)
    } else {
      await runScope()
    }
    await waitForTasks()
    if executor != nil { await settle() }
    return await record()
  }

  private var queueClock: any Clock<Duration> { if let clock { clock } else { ContinuousClock() } }

  /// Runs the scripts within the scope of the first queue.
  private func runScope() async {
    let plan = program.queues[0]
    // The task waits until it is stored, so that a script can cancel it.
    let isKnown = Gate()
    let task = Task(executorPreference: executor) { [self] in
      await isKnown.wait()
      let result: Event.ScopeResult
      do {
        try await withOperationQueue(
          name: "q0", maxConcurrentOperationCount: plan.limit, executor: executor, isSuspended: plan.isSuspended,
          onFailure: program.cancelsOnFailure ? .cancelAll : .continue, startRate: plan.rate?.startRate,
          clock: queueClock, observer: observer
        ) { queue in
          try await runScripts(scoped: queue)
          // Calls of `run` must return before the end of the scope, after which the queue refuses them.
          for call in calls.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { await call.value.value }
          for barrier in barriers.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            if case .call(let task) = barrier.value { await task.value }
          }
          log.append(.scopeEnding(isThrowing: program.scope == .throwing))
          if program.scope == .throwing { throw Failure(id: -1) }
        }
        result = .returned
      } catch {
        result = scopeResult(error)
      }
      log.append(.scopeEnded(finished: finished, result))
    }
    scope.withLock { $0 = task }
    isKnown.open()
    await task.value
    scope.withLock { $0 = nil }
  }

  func cancelScope() {
    guard let task = scope.withLock({ $0 }) else { return }
    log.append(.scopeCancelled)
    task.cancel()
  }

  private func runScripts(scoped queue: AsyncOperationQueue?) async throws {
    try await prepare(scoped: queue)
    await withTaskGroup { group in
      for script in program.scripts {
        group.addTask {
          for step in script { await self.perform(step) }
        }
      }
    }
    if executor != nil { await settle() }
    await letEverythingRun()
  }

  private func prepare(scoped: AsyncOperationQueue?) async throws {
    var queues: [AsyncOperationQueue] = []
    for (number, plan) in program.queues.enumerated() {
      if number == 0, let scoped {
        queues.append(scoped)
        continue
      }
      queues.append(
        AsyncOperationQueue(
          name: "q\(number)", maxConcurrentOperationCount: plan.limit, executor: executor,
          isSuspended: plan.isSuspended, startRate: plan.rate?.startRate, clock: queueClock,
          observer: observer))
    }
    actors.withLock { [queues] actors in actors.queues = queues }
    for number in queues.indices where program.closes(queue: number) { readStates(of: queues[number], number) }
    for plan in program.operations {
      let operation = make(plan)
      for dependency in plan.dependencies {
        guard let other = self.operation(dependency.on) else { continue }
        try await operation.addDependency(other, requiring: dependency.requirement)
      }
      actors.withLock { $0.operations[plan.id] = operation }
      for need in plan.limits { await addLimit(need, plan.id) }
      observe(plan.id, upTo: nil)
      watch(plan.id)
    }
  }

  /// Logs the end of waits for the operation: one that begins now, and one that begins when an observer has just
  /// received the final state.
  private func watch(_ id: Int) {
    guard let operation = operation(id) else { return }
    spawn {
      await operation.waitUntilFinished()
      let isFinished = operation.isFinished
      self.log.append(
        .settled(id, Self.outcome(of: operation, id), isFinished: isFinished, pending: self.pending))
    }
    let states = operation.states
    let number = log.number()
    log.append(.waitCalled(id, number: number))
    spawn { [self] in
      for await snapshot in states where snapshot.isFinished {
        log.append(.finishSeen(id, isFinished: operation.isFinished, pending: pending))
      }
      await operation.waitUntilFinished()
      log.append(.waitReturned(id, number: number, isFinished: operation.isFinished, pending: pending))
    }
  }

  /// Resumes the queues, raises the limits, adds or starts the remaining operations, and releases all bodies.
  private func letEverythingRun() async {
    // No cost is higher.
    for limit in limits.indices { await perform(.setCount(3, limit: limit)) }
    for (number, _) in program.queues.enumerated() {
      await perform(.limit(2, queue: number))
      await perform(.resume(queue: number))
    }
    for plan in program.operations {
      if let queue = plan.home {
        await perform(.add(plan.id, queue: queue, .asynchronous))
        // One that is closed has refused it.
        if self.queue(queue).isClosed { startWhenReady(plan.id) }
      } else {
        startWhenReady(plan.id)
      }
    }
    for plan in program.operations { await perform(.release(plan.id)) }
  }

  private func startWhenReady(_ id: Int) {
    guard let operation = operation(id) else { return }
    spawn {
      while !operation.isFinished {
        for await snapshot in operation.states where snapshot.isReady { break }
        guard await self.start(id) == .notReady else { return }
      }
    }
  }

  private func waitForTasks() async {
    while let task = tasks.withLock({ $0.popLast() }) { await task.value }
    for queue in actors.withLock({ $0.queues }) { await queue.waitUntilAllOperationsAreFinished() }
  }

  /// Waits until everything is idle and logs the states.
  func settle() async {
    guard let executor else {
      for _ in 0..<20 { await Task.yield() }
      return
    }
    await executor.waitUntilIdle()
    log.append(.idle(operations.mapValues(\.snapshot)))
  }

  // MARK: The end

  private func record() async -> RunRecord {
    var histories: [Int: [(snapshots: [OperationSnapshot], isWhole: Bool)]] = [:]
    for observation in observations.withLock({ $0 }) {
      histories[observation.id, default: []].append((await observation.task.value, observation.isWhole))
    }
    let (operations, queues) = actors.withLock { $0 }
    let endings = operations.sorted { $0.key < $1.key }.map { id, operation in
      RunRecord.Ending(
        id: id, snapshot: operation.snapshot, outcome: Self.outcome(of: operation, id),
        history: histories[id]?.first?.snapshots ?? [], lateHistories: Array((histories[id] ?? []).dropFirst()))
    }
    var snapshots: [QueueSnapshot] = []
    var lateStates: [Int: [QueueSnapshot]] = [:]
    for (number, queue) in queues.enumerated() {
      snapshots.append(queue.snapshot)
      guard queue.isClosed else { continue }
      for await snapshot in queue.states { lateStates[number, default: []].append(snapshot) }
    }
    let remains =
      operations.map { WeakReference(label: "operation \($0.key)", object: $0.value) }
      + queues.map { WeakReference(label: "queue \($0.name)", object: $0) }
      + barriers.withLock { $0 }.compactMap { id, barrier in
        guard case .operation(let operation) = barrier else { return nil }
        return WeakReference(label: "barrier \(id)", object: operation)
      }
    let record = RunRecord(
      events: log.events, times: log.times, limits: limits.map { ($0.count, $0.available) },
      sleeperCount: clock?.sleeperCount ?? 0, endings: endings, queues: snapshots, lateStates: lateStates,
      observerFaults: observer?.faults ?? [], remains: remains)
    actors.withLock { $0 = ([:], []) }
    observations.withLock { $0 = [] }
    calls.withLock { $0 = [:] }
    barriers.withLock { $0 = [:] }
    readers.withLock { $0 = [:] }
    return record
  }
}
