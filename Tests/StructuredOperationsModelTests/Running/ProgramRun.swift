import StructuredOperations
import StructuredOperationsTesting

/// One run of a program, on a seeded executor or on threads.
final class ProgramRun: Sendable {
  /// The error that bodies throw.
  struct Failure: Error, Equatable {
    let id: Int
  }

  /// An observer and the states that it receives.
  private struct Observation: Sendable {
    let id: Int
    let isWhole: Bool
    let task: Task<[OperationSnapshot], Never>
  }

  let program: Program
  let log = EventLog()
  let gates: [Int: Gate]
  /// Nil means the cooperative pool and the threads for synchronous bodies.
  let executor: SeededExecutor?
  private let actors = Guarded<(operations: [Int: any OperationProtocol], queues: [AsyncOperationQueue])>(([:], []))
  private let observations = Guarded<[Observation]>([])
  private let tasks = Guarded<[Task<Void, Never>]>([])
  private let calls = Guarded<[Int: Task<Void, Never>]>([:])
  private let scope = Guarded<Task<Void, Never>?>(nil)

  init(_ program: Program, executor: SeededExecutor?) {
    self.program = program
    self.executor = executor
    gates = Dictionary(uniqueKeysWithValues: program.operations.map { ($0.id, Gate()) })
  }

  // MARK: Access

  func operation(_ id: Int) -> (any OperationProtocol)? { actors.withLock { $0.operations[id] } }

  var operations: [Int: any OperationProtocol] { actors.withLock { $0.operations } }

  func queue(_ number: Int) -> AsyncOperationQueue { actors.withLock { $0.queues[number] } }

  /// The operations that have finished.
  var finished: Set<Int> { Set(operations.filter { $0.value.isFinished }.keys) }

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

  /// Runs the scripts within the scope of the first queue.
  private func runScope() async {
    let plan = program.queues[0]
    // The task waits until it is stored, so that a script can cancel it.
    let isKnown = Gate()
    let task = Task(executorPreference: executor) { [self] in
      await isKnown.wait()
      let hasThrown: Bool
      do {
        try await withOperationQueue(
          name: "q0", maxConcurrentOperationCount: plan.limit, executor: executor, isSuspended: plan.isSuspended
        ) { queue in
          try await runScripts(scoped: queue)
          // Calls of `run` must return before the end of the scope, after which the queue refuses them.
          for call in calls.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { await call.value.value }
          log.append(.scopeEnding(isThrowing: program.scope == .throwing))
          if program.scope == .throwing { throw Failure(id: -1) }
        }
        hasThrown = false
      } catch {
        hasThrown = true
      }
      log.append(.scopeEnded(finished: finished, hasThrown: hasThrown))
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
          isSuspended: plan.isSuspended))
    }
    actors.withLock { [queues] actors in actors.queues = queues }
    for plan in program.operations {
      let operation = make(plan)
      for dependency in plan.dependencies {
        guard let other = self.operation(dependency.on) else { continue }
        try await operation.addDependency(other, requiring: dependency.requirement)
      }
      actors.withLock { $0.operations[plan.id] = operation }
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
        .settled(id, hasSucceeded: Self.hasSucceeded(operation), isFinished: isFinished, pending: self.pending))
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

  /// Resumes the queues, adds or starts the remaining operations, and releases all bodies.
  private func letEverythingRun() async {
    for (number, _) in program.queues.enumerated() {
      await perform(.limit(2, queue: number))
      await perform(.resume(queue: number))
    }
    for plan in program.operations {
      if let queue = plan.home {
        await perform(.add(plan.id, queue: queue, .asynchronous))
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
    for queue in queues { snapshots.append(queue.snapshot) }
    let remains =
      operations.map { WeakReference(label: "operation \($0.key)", object: $0.value) }
      + queues.map { WeakReference(label: "queue \($0.name)", object: $0) }
    let record = RunRecord(events: log.events, endings: endings, queues: snapshots, remains: remains)
    actors.withLock { $0 = ([:], []) }
    observations.withLock { $0 = [] }
    calls.withLock { $0 = [:] }
    return record
  }

  private static func hasSucceeded(_ operation: any OperationProtocol) -> Bool {
    if let operation = operation as? AsyncOperation<Int>, case .success = operation.outcome { return true }
    if let operation = operation as? AsyncOperation<Void>, case .success = operation.outcome { return true }
    return false
  }

  private static func outcome(of operation: any OperationProtocol, _ id: Int) -> RunRecord.Outcome {
    if let operation = operation as? AsyncOperation<Int> {
      if case .success(let output) = operation.outcome { return output == id ? .success : .otherSuccess }
      return unsuccessful(operation.outcome, id)
    }
    guard let operation = operation as? AsyncOperation<Void> else { return .none }
    if case .success = operation.outcome { return .success }
    return unsuccessful(operation.outcome, id)
  }

  private static func unsuccessful<Output>(_ outcome: OperationOutcome<Output>?, _ id: Int) -> RunRecord.Outcome {
    switch outcome {
    case .success, nil: .none
    case .cancelled: .cancelled
    case .failure(let error as Failure): error == Failure(id: id) ? .failure : .otherFailure
    case .failure(OperationError.dependencyCycle(let path)):
      path.map(\.name).contains("\(id)") ? .failure : .otherFailure
    case .failure(OperationError.dependencyFailed(let root, let underlying)):
      .dependencyFailed(root: root.name.flatMap { Int($0) } ?? -1, isCancellation: underlying is CancellationError)
    case .failure(let error as OperationError): .operationError(error)
    case .failure: .otherFailure
    }
  }
}
