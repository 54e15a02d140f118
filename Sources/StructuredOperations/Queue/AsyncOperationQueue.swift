import Synchronization

/// Runs operations, a limited number at a time, by priority and order of addition.
///
/// ```swift
/// let queue = AsyncOperationQueue(
///   name: "images", maxConcurrentOperationCount: 4)
/// await queue.add(download, resize, upload)
/// let hash = await queue.add { digest(file) }
/// await queue.waitUntilAllOperationsAreFinished()
/// ```
///
/// The queue runs its operations as child tasks of a task group of its own. A free-standing queue has one unstructured
/// task for that group, which lives only while operations run: an idle queue has neither a task nor a thread. An operation
/// that can begin as it is added, while there is no such task, has one of its own instead, since to start one takes less time
/// than two. A queue that nobody holds any more still runs what was added, and is freed then. One that is suspended, or that
/// holds an operation which waits for one that nobody runs or for a limit that never has room, is not freed.
public actor AsyncOperationQueue {
  /// What ``maxConcurrentOperationCount`` is unless it is set: -1, which means 64 operations at a time, or as many as
  /// there were active cores when the first queue was made, where that is more.
  public static let defaultMaxConcurrentOperationCount = -1

  /// What the queue is called; its tasks are named after it, with a number.
  public nonisolated let name: String
  /// Whether the queue belongs to a scope, whose task's cancellation is that of all operations.
  nonisolated let isScoped: Bool
  /// Whether the failure of an operation cancels all others.
  nonisolated let cancelsOnFailure: Bool
  /// The failure that was published first, as it is kept, in a scope that cancels everything then; its lock takes no other.
  ///
  /// Not in ``shared``, which finished operations hold: it may name one of them.
  nonisolated let firstFailure = Guarded<(any Error)?>(nil)
  /// Where everything of this queue runs; nil if each body says so itself.
  nonisolated let executor: (any TaskExecutor)?
  /// Where the timer sleeps: there as well, and for a scope without one on the reproducible executor that its task prefers.
  nonisolated let timerExecutor: (any TaskExecutor)?
  /// Whether it is ``main``: nothing of it can be changed, and each end takes a turn, so that the main actor can do other work.
  nonisolated let isMain: Bool
  /// Asked only where there is a start rate, or a timed suspension.
  nonisolated let clock: any Clock<Duration>
  /// The ``queueClock`` of a queue that is made with a start rate, found without a lock.
  nonisolated let initialQueueClock: QueueClock?
  /// That of any other queue.
  nonisolated let lazyQueueClock = Guarded<QueueClock?>(nil)
  /// Is told of all operations.
  nonisolated let observer: OperationObserverReference?
  nonisolated let shared: QueueSharedState
  nonisolated let defaults: WorkerTraits.Defaults

  var state: QueueState
  /// Those who wait until the queue is empty.
  var emptinessWaiters: [UnsafeContinuation<Void, Never>] = []
  /// Sleeps until the queue has something to do; nil while time does not matter.
  var timer: Task<Void, Never>?

  private static let unnamedQueueCount = Atomic(0)

  /// Makes a queue.
  ///
  /// - Parameters:
  ///   - name: What the queue is called; by default a name with a number.
  ///   - maxConcurrentOperationCount: How many operations may execute at a time: -1, the default, or from 0 on.
  ///     Anything below is a programming error.
  ///   - taskPriority: The least priority of the tasks that run operations.
  ///   - executor: Where everything of this queue runs: bodies without an executor of their own, of whatever kind, the
  ///     queue's own tasks, and completion blocks.
  ///   - isSuspended: Whether the queue starts nothing until ``resume()`` is called.
  ///   - startRate: How many operations may begin within a stretch of time; nil is any number. Barriers and closures of
  ///     `run` count, bodies that go on after a wait do not, and neither does what leaves unrun. What waits for the rate is
  ///     ready, holds no slot, and leaves at once when it is cancelled.
  ///   - clock: What tells the time for `startRate` and ``suspend(for:)``. It is not asked where neither is used.
  ///   - observer: Is told of all that happens to the operations of the queue.
  public init(
    name: String? = nil,
    maxConcurrentOperationCount: Int = AsyncOperationQueue.defaultMaxConcurrentOperationCount,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    isSuspended: Bool = false,
    startRate: OperationStartRate? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    observer: (any OperationObserver)? = nil
  ) {
    self.init(
      name: name, limit: maxConcurrentOperationCount, taskPriority: taskPriority, executor: executor,
      isSuspended: isSuspended, isMain: false, scope: .none, startRate: startRate, clock: clock, observer: observer)
  }

  init(
    name: String?,
    limit: Int,
    taskPriority: TaskPriority?,
    executor: (any TaskExecutor)?,
    isSuspended: Bool,
    isMain: Bool,
    scope: QueueScope,
    onFailure: OperationFailurePolicy = .continue,
    startRate: OperationStartRate? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    observer: (any OperationObserver)? = nil
  ) {
    // Not a precondition, whose message a release build would not print.
    if limit < -1 { fatalError(OperationError.invalidMaxConcurrentOperationCount(limit).description) }
    let name = name ?? "AsyncOperationQueue \(Self.unnamedQueueCount.add(1, ordering: .relaxed).newValue)"
    self.name = name
    self.executor = executor
    timerExecutor = executor ?? (scope == .none ? nil : ReproducibleExecutors.current)
    self.isMain = isMain
    self.clock = clock
    self.observer = .to(consume observer)
    isScoped = scope != .none
    cancelsOnFailure = onFailure == .cancelAll
    defaults = WorkerTraits.Defaults(executor: executor, rawPriority: TaskPriority.raw(taskPriority))
    shared = QueueSharedState(
      name: name, limit: limit, isSuspended: isSuspended, defaults: defaults, hasRunner: scope != .none)
    let defaultWidth = max(64, OperationThreadPool.coreCount)
    state = QueueState(
      scheduler: QueueScheduler(
        maxConcurrentOperationCount: limit, defaultWidth: defaultWidth, isSuspended: isSuspended), scope: scope,
      onFailure: onFailure, defaults: defaults)
    initialQueueClock = startRate.map { _ in QueueClock(clock) }
    if let queueClock = initialQueueClock { state.setStartRate(startRate, queueClock) }
    if let executor = executor as? any ReproducibleExecutor { executor.made(self) }
  }

  deinit {
    timer?.cancel()
    shared.end()
    if state.trigger.isInUse { DependencyGraph.unwatch(ObjectIdentifier(self)) }
  }

  /// The queue that runs its bodies, of every kind, on the main actor, one at a time.
  ///
  /// As in any queue, a body that waits for operations or queues lends its slot, and the next one runs meanwhile. The limit and the
  /// suspension cannot be changed.
  public static let main = AsyncOperationQueue(
    name: "AsyncOperationQueue Main", limit: 1, taskPriority: nil, executor: MainActorExecutor.shared,
    isSuspended: false, isMain: true, scope: .none)

  /// The queue that runs the calling body; nil elsewhere.
  ///
  /// Child tasks of a body inherit it and so do tasks that it starts by `Task { }`; detached ones do not.
  public static var current: AsyncOperationQueue? {
    ExecutionContext.current == nil ? nil : ExecutionContext.queue as? AsyncOperationQueue
  }

  // MARK: Queries

  /// The operations in the queue in the order of addition, executing ones included, barriers not.
  ///
  /// Nothing is started or changed by asking.
  ///
  /// - Complexity: O(n log n).
  public var operations: [any OperationProtocol] {
    schedulerWithPendingEvents.operations.compactMap(\.enqueuedOperation)
  }

  /// How many operations are in the queue, executing ones included, barriers not.
  ///
  /// Read from anywhere, without `await`. An operation counts from the moment at which `add` returns, and no longer when
  /// those who wait for it go on.
  public nonisolated var operationCount: Int { shared.snapshot.operationCount }

  /// Whether the queue starts nothing for the time being, as the latest call of ``suspend()``,
  /// ``suspend(for:)`` or ``resume()`` has left it, or the time that was given.
  public nonisolated var isSuspended: Bool { shared.snapshot.isSuspended }

  /// How many operations may execute at a time; -1 is the default.
  public nonisolated var maxConcurrentOperationCount: Int { shared.snapshot.maxConcurrentOperationCount }

  /// All that the queue tells of itself, at one moment.
  ///
  /// Read from anywhere, without `await`; nothing is started or changed by asking. It is current: an addition is in it when
  /// `add` returns, an end before those who wait for it go on, a setting when its function returns.
  ///
  /// - Complexity: O(1).
  public nonisolated var snapshot: QueueSnapshot { shared.snapshot }

  /// Whether the queue takes no more operations: ``close()`` was called, or its scope has ended.
  ///
  /// Read from anywhere, without `await`. Never false again once it is true.
  public nonisolated var isClosed: Bool { shared.isClosed }

  /// The scheduler as the next turn will have it before it chooses: what was added since the last turn is there, too.
  var schedulerWithPendingEvents: QueueScheduler<OperationStorage> {
    var scheduler = state.scheduler
    for event in shared.pendingEvents { event.list(in: &scheduler) }
    return scheduler
  }

  /// The snapshots of the queue, from the present one on.
  ///
  /// A slow reader may miss some, the first one too, but never the latest. When
  /// ``QueueSnapshot/operationCount`` is 0, every operation has been counted as completed. The sequence ends when
  /// the queue is closed and empty, when its scope has ended, or when it is gone, and does not keep it. Read later, it
  /// gives the last snapshot and ends.
  public nonisolated var states: StateSequence<QueueSnapshot> { shared.states() }

  // MARK: Settings

  /// Changes how many operations may execute at a time, at once: more start where it grew, running ones are left alone
  /// where it shrank.
  ///
  /// - Parameter count: -1 is the default; 0 starts nothing, but in a scope that has ended or was cancelled, where it counts as 1.
  /// - Throws: ``OperationError/invalidMaxConcurrentOperationCount(_:)`` below -1; for ``main`` unless it is 1.
  public func setMaxConcurrentOperationCount(_ count: Int) throws {
    guard isMain ? count == 1 : count >= -1 else { throw OperationError.invalidMaxConcurrentOperationCount(count) }
    if !isMain { process(.widthChanged(count)) }
  }

  /// Starts nothing until ``resume()`` is called; what executes is left alone.
  ///
  /// Without effect once the body of the queue's scope has ended or the scope was cancelled, see
  /// ``withOperationQueue(name:maxConcurrentOperationCount:taskPriority:executor:isSuspended:onFailure:startRate:clock:observer:_:)``. Nothing leaves a
  /// suspended queue without having run either, not even what is cancelled.
  public func suspend() {
    if !isMain { process(.suspended) }
  }

  /// Undoes ``suspend()`` and ``suspend(for:)``, however often they were called.
  public func resume() {
    if !isMain { process(.resumed) }
  }

  /// Takes no more operations from now on; what is there goes on.
  ///
  /// `add` returns false, ``enqueue(_:)-(OperationProtocol)`` and ``run(name:queuePriority:limits:file:line:_:)`` throw
  /// ``OperationError/queueClosed``, and what a closure is made into has failed with that error; for bodies of the queue,
  /// too. Operations and barriers that are in the queue run as ever, and settings have their effect. The sequences of
  /// ``states`` end as soon as the queue is empty. Does not suspend; may be called on any thread, and again. Without effect
  /// on ``main``.
  public nonisolated func close() {
    if !isMain { shared.close() }
  }
}
