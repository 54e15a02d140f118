import StructuredOperations
import TestSupport

/// Runs a nested program, and notes what is wrong.
///
/// Everything that an operation waits for is added for certain, and what is suspended is resumed; the library ends the
/// waits that close loops. So each program comes to its end, or the library has lost a wait.
final class NestedRun: Sendable {
  /// A queue, from the beginning or of a scope.
  final class Site: Sendable {
    let queue: AsyncOperationQueue
    /// What its width never exceeds: it is lowered for a time at most.
    let width: Int
    let isScope: Bool
    /// The operation whose body has opened the scope.
    let opener: AsyncOperation<Void>?
    /// What the queue has taken.
    let taken = Locked<[AsyncOperation<Void>]>([])

    init(_ queue: AsyncOperationQueue, width: Int, isScope: Bool = false, opener: AsyncOperation<Void>? = nil) {
      self.queue = queue
      self.width = width
      self.isScope = isScope
      self.opener = opener
    }
  }

  /// What a body has while it runs and does not wait.
  struct Slot: Sendable {
    /// Nil for an operation that was started by hand.
    let site: Site?
    let limits: [Int: Int]
    var isBarrier = false
  }

  /// Where steps run.
  struct Context: Sendable {
    /// The operations whose bodies are around, the innermost one first.
    var around: [AsyncOperation<Void>] = []
    /// The scopes around, the innermost one first.
    var scopes: [Site] = []
    /// What the body has; nil outside of bodies, in their child tasks, and where the slot is lent.
    var slot: Slot?
    /// Whether a wait that cannot throw might stop the program.
    var isBody = false
    /// Whether this is a child task of a body: in its scopes nothing may wait for long, so they are not for others.
    var isChildTask = false
    /// How many operations there were when the script came to this step; nil where all may be waited for.
    var olderCount: Int?
  }

  private enum Share: Hashable, Sendable {
    case queue(ObjectIdentifier)
    case barriers(ObjectIdentifier)
    case limit(Int)
  }

  struct State: Sendable {
    var operations: [AsyncOperation<Void>] = []
    var openScopes: [Site] = []
    var allScopes: [Site] = []
    /// What runs elsewhere than in bodies and scripts, and has not been awaited.
    var tasks: [Task<Void, Never>] = []
    var nameCount = 0
    var faults: [String] = []
    var loopCount = 0
  }

  let program: NestedProgram
  let executor: (any TaskExecutor)?
  let clock: any Clock<Duration>
  let queues: [Site]
  let limits: [ConcurrencyLimit]
  let state = Locked(State())
  private let running = BodyCounts<Share>()

  var faults: [String] { state.withLock { $0.faults } }
  /// How many waits have been ended since they never would have.
  var loopCount: Int { state.withLock { $0.loopCount } }

  init(_ program: NestedProgram, executor: (any TaskExecutor)? = nil, clock: any Clock<Duration> = ContinuousClock()) {
    self.program = program
    self.executor = executor
    self.clock = clock
    limits = program.limits.map { ConcurrencyLimit($0) }
    queues = program.queues.map { queue in
      Site(
        AsyncOperationQueue(
          maxConcurrentOperationCount: queue.width, executor: executor, startRate: queue.rate.map(Self.rate),
          clock: clock),
        width: queue.width)
    }
  }

  func found(_ fault: String) { state.withLock { $0.faults.append(fault) } }

  static func duration(_ count: Int) -> Duration { .microseconds(200 * count) }

  static func rate(_ count: Int) -> OperationStartRate { OperationStartRate(count, per: duration(3)) }

  // MARK: The whole program

  func run() async {
    await withTaskGroup(of: Void.self) { group in
      for script in program.scripts { group.addTask { await self.perform(script: script) } }
      group.addTask {
        await self.performAll(self.program.meddling, Context())
        await self.takeChangesBack()
      }
    }
    await waitForTheRest()
    for site in queues {
      await site.queue.waitUntilAllOperationsAreFinished()
      checkEnd(of: site)
    }
    for (number, limit) in limits.enumerated() where limit.available != limit.count || running[.limit(number)] != 0 {
      found("\(limit) is in use at the end")
    }
  }

  private func perform(script: [NestedProgram.Step]) async {
    for step in script {
      await performAll(
        [step], Context(olderCount: program.isCyclic ? nil : state.withLock { $0.operations.count }))
    }
  }

  private func takeChangesBack() async {
    for site in queues + state.withLock({ $0.allScopes }) {
      await site.queue.resume()
      try? await site.queue.setMaxConcurrentOperationCount(site.width)
    }
    for (limit, count) in zip(limits, program.limits) { limit.setCount(count) }
  }

  /// Waits for all tasks and operations, also those that come up meanwhile.
  private func waitForTheRest() async {
    var finishedCount = 0
    while true {
      if let task = state.withLock({ $0.tasks.popLast() }) {
        await task.value
      } else if let operation = state.withLock({ $0.operations.dropFirst(finishedCount).first }) {
        await operation.waitUntilFinished()
        finishedCount += 1
      } else {
        return
      }
    }
  }

  /// To be called once a queue is empty, or its scope has ended.
  func checkEnd(of site: Site) {
    let snapshot = site.queue.snapshot
    if snapshot.operationCount + snapshot.executingCount + snapshot.waitingCount > 0 {
      found("the end left \(snapshot)")
    }
    if running[.queue(ObjectIdentifier(site.queue))] != 0 { found("a body runs in a queue that has ended") }
    if let left = site.taken.current.first(where: { !$0.isFinished }) { found("the end left \(left)") }
  }

  /// Lets go of everything.
  ///
  /// - Returns: What has to be freed then.
  func forget() -> [Weak] {
    for site in queues { site.taken.withLock { $0 = [] } }
    return state.withLock { state in
      defer {
        state.operations = []
        state.allScopes = []
      }
      return state.operations.map { Weak($0) } + (queues + state.allScopes).map { Weak($0.queue) }
    }
  }

  // MARK: Slots

  /// A body begins, or goes on after a wait.
  func enter(_ slot: Slot?) {
    guard let slot else { return }
    for (limit, cost) in slot.limits {
      let used = running.begin(.limit(limit), cost: cost)
      if used > program.limits[limit] { found("\(used) of limit \(limit) were in use") }
    }
    guard let site = slot.site else { return }
    let id = ObjectIdentifier(site.queue)
    let count = running.begin(.queue(id))
    if count > site.width { found("\(count) bodies ran at width \(site.width)") }
    let barrierCount = slot.isBarrier ? running.begin(.barriers(id)) : running[.barriers(id)]
    if barrierCount > 0, count > 1 { found("a barrier ran beside others") }
  }

  /// A body is about to wait, or to end.
  func leave(_ slot: Slot?) {
    guard let slot else { return }
    for (limit, cost) in slot.limits { running.end(.limit(limit), cost: cost) }
    guard let site = slot.site else { return }
    let id = ObjectIdentifier(site.queue)
    if slot.isBarrier { running.end(.barriers(id)) }
    running.end(.queue(id))
  }

  /// The wait of a body, which has its slot before and after.
  func waiting(_ context: Context, _ wait: () async throws -> Void) async throws {
    leave(context.slot)
    defer { enter(context.slot) }
    try await wait()
  }

  // MARK: Errors

  /// Notes an error that no step may throw.
  func check(_ error: any Error) {
    switch error {
    case is CancellationError, is Failure, OperationError.dependencyFailed, OperationError.queueClosed,
      OperationError.timedOut:
      break
    case OperationError.waitWouldDeadlock: foundLoop()
    default: found("\(error)")
    }
  }

  func foundLoop() {
    state.withLock { $0.loopCount += 1 }
    if !program.isCyclic { found("a false alarm") }
  }
}
