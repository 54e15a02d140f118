import Foundation
import StructuredOperationsTesting
import TestSupport
import Testing

@testable import StructuredOperations

@Suite("OperationObserver", .timeLimit(.minutes(15)), .hangGuard)
struct OperationObserverTests {
  private typealias Gate = TestSupport.Gate

  // MARK: What is told

  @Test("Barriers are told, and closures of run and runBarrier", arguments: 0..<3)
  func everythingInQueues(kind: Int) async throws {
    let recorder = EventRecorder()
    let queue = AsyncOperationQueue(observer: recorder)
    switch kind {
    case 0: _ = try await queue.addBarrier {}.value
    case 1: try await queue.run {}
    default: try await queue.runBarrier {}
    }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.all.map(\.kind) == [.added, .ready, .started, .finished])
    #expect(recorder.all.allSatisfy { $0.isInQueue })
  }

  @Test("Every form of an operation takes an observer of its own")
  func forms() async throws {
    let recorder = EventRecorder()
    struct Body: SynchronousOperationBody { func main() {} }
    struct AsynchronousBody: AsynchronousOperationBody { func start() async {} }
    let operations: [any OperationProtocol] = [
      AsyncOperation(observer: recorder, main: {}),
      AsyncOperation(observer: recorder, start: { await Task.yield() }),
      AsyncOperation<Void>(observer: recorder, callback: { $0.finish(returning: ()) }),
      AsyncOperation(observer: recorder, Body()), AsyncOperation(observer: recorder, AsynchronousBody()),
      AsyncOperation(observer: recorder, ExecutionBlocks {}),
      AsyncOperation<Void>.onMainActor(observer: recorder) {},
    ]
    let (one, none) = (AsyncOperation { 1 }, AsyncOperation {})
    let dependent: [any OperationProtocol] = [
      AsyncOperation(after: one, observer: recorder, main: { _ in }),
      AsyncOperation(after: one, none, observer: recorder, start: { _, _ in await Task.yield() }),
      AsyncOperation(after: none, observer: recorder, main: {}),
      AsyncOperation(after: none, observer: recorder, start: { await Task.yield() }),
      AsyncOperation<Int>(after: one, observer: recorder, callback: { $1.finish(returning: $0) }),
      AsyncOperation(after: [one], observer: recorder, main: { _ in }),
      AsyncOperation(after: [one], observer: recorder, start: { _ in await Task.yield() }),
      AsyncOperation(afterOutcomesOf: one, none, observer: recorder, main: { _, _ in }),
      AsyncOperation(afterOutcomesOf: one, none, observer: recorder, start: { _, _ in await Task.yield() }),
      AsyncOperation(afterOutcomesOf: [one], observer: recorder, main: { _ in }),
      AsyncOperation(afterOutcomesOf: [one], observer: recorder, start: { _ in await Task.yield() }),
    ]
    let queue = AsyncOperationQueue()
    await queue.add(operations + dependent)
    await queue.addAndWait([one, none])
    await queue.waitUntilAllOperationsAreFinished()
    for operation in operations { #expect(recorder.kinds(of: operation) == [.added, .ready, .started, .finished]) }
    for operation in dependent {
      #expect(recorder.kinds(of: operation) == [.added, .blocked, .ready, .started, .finished])
    }
  }

  @Test("The operation's own observer is told first, then the queue's")
  func ownObserverFirst() async throws {
    let order = Locked<[String]>([])
    let queue = AsyncOperationQueue(
      observer: EventRecorder { event in order.withLock { $0.append("q \(event.kind)") } })
    let operation = AsyncOperation(
      observer: EventRecorder { event in order.withLock { $0.append("o \(event.kind)") } }
    ) {}
    await queue.add(operation)
    try await operation.value
    #expect(order.current == ["added", "ready", "started", "finished"].flatMap { ["o \($0)", "q \($0)"] })
  }

  @Test("An event that is printed names what has happened, the operation, its queue and its cause")
  func printed() async throws {
    let texts = Locked<[String]>([])
    let queue = AsyncOperationQueue(name: "queue", observer: EventRecorder { event in texts.append("\(event)") })
    let first = AsyncOperation(name: "first") {}
    let second = AsyncOperation(name: "second") {}
    try await second.addDependency(first)
    await queue.add(second, first)
    try await second.value
    let text = try #require(texts.current.first { $0.contains("Kind.ready, operation: AsyncOperation \"second\"") })
    #expect(text.hasPrefix("OperationEvent(kind: "))
    #expect(text.contains("queue: Optional(AsyncOperationQueue \"queue\""))
    #expect(text.contains("cause: Optional(AsyncOperation \"first\""))
  }

  @Test("One that is cancelled before it is added tells its own observer so, and not the queue's")
  func cancelledBefore() async throws {
    let (own, ofQueue) = (EventRecorder(), EventRecorder())
    let operation = AsyncOperation(observer: own) {}
    operation.cancel()
    #expect(own.kinds(of: operation) == [.cancelled])
    let queue = AsyncOperationQueue(observer: ofQueue)
    await queue.add(operation)
    await operation.waitUntilFinished()
    #expect(own.kinds(of: operation) == [.cancelled, .added, .finished])
    #expect(ofQueue.kinds(of: operation) == [.added, .finished])
    let unobserved = AsyncOperation {}
    unobserved.cancel()
    await queue.add(unobserved)
    await unobserved.waitUntilFinished()
    #expect(ofQueue.kinds(of: unobserved) == [.added, .finished])
  }

  @Test("What a queue refuses is not told: one, several, a barrier, a closure, a batch with one that is elsewhere")
  func refused() async throws {
    let (own, ofQueue) = (EventRecorder(), EventRecorder())
    let (queue, other) = (AsyncOperationQueue(observer: ofQueue), AsyncOperationQueue(isSuspended: true))
    let elsewhere = await other.add {}
    let operations = (0..<2).map { _ in AsyncOperation(observer: own) {} }
    await #expect(throws: OperationError.alreadyEnqueued) { try await queue.enqueue(operations + [elsewhere]) }
    queue.close()
    await queue.add(operations)
    await queue.add(operations[0])
    await queue.addBarrier {}
    await queue.add {}
    await #expect(throws: OperationError.queueClosed) { try await queue.run {} }
    #expect(own.all.isEmpty && ofQueue.all.isEmpty)
    // They are as before.
    let open = AsyncOperationQueue(observer: ofQueue)
    await open.addAndWait(operations)
    for operation in operations {
      #expect(own.kinds(of: operation) == [.added, .ready, .started, .finished])
      #expect(ofQueue.kinds(of: operation) == own.kinds(of: operation))
    }
    await other.resume()
  }

  @Test("A batch that a queue refuses as it closes meanwhile tells nothing, or all of it", .timeLimit(.minutes(15)))
  func refusedMeanwhile() async throws {
    for _ in 0..<300 {
      let recorder = EventRecorder()
      let queue = AsyncOperationQueue(observer: recorder)
      let operations = (0..<20).map { _ in AsyncOperation {} }
      async let count = queue.add(operations)
      queue.close()
      let added = await count
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.all.count == 4 * added)
      #expect(added == 0 || added == 20)
    }
  }

  @Test("The explanation of a body that is observed tells since when it executes, of others it does not")
  func startTime() async {
    let before = ContinuousClock.now
    for isObserved in [true, false] {
      let blocker = Blocker()
      await AsyncOperationQueue(observer: isObserved ? EventRecorder() : nil).add(blocker.operation)
      await blocker.begun.wait()
      guard case .executing(since: let start)? = await blocker.operation.explanation.reasons.first else {
        Issue.record("not executing")
        continue
      }
      #expect((start != nil) == isObserved)
      if let start { #expect(before <= start && start <= .now) }
      blocker.release.open()
    }
  }

  // MARK: Waits

  @Test("withLentSlot is told as a wait; waits inside of it are not, nor those of child tasks")
  func lending() async throws {
    let recorder = EventRecorder()
    let queue = AsyncOperationQueue(observer: recorder)
    let other = AsyncOperationQueue()
    let operation = await queue.add {
      await withLentSlot { await other.add {}.waitUntilFinished() }
      async let inChild: Void = other.add {}.waitUntilFinished()
      await inChild
    }
    try await operation.value
    #expect(recorder.kinds(of: operation) == [.added, .ready, .started, .waitBegan, .waitEnded, .finished])
  }

  @Test("Waits for several, for a queue, for a scope, in a body that was started by hand", arguments: 0..<4)
  func waits(kind: Int) async throws {
    let recorder = EventRecorder()
    let other = AsyncOperationQueue(isSuspended: true)
    let awaited = (0..<2).map { _ in AsyncOperation {} }
    let operation = AsyncOperation(observer: recorder) {
      switch kind {
      case 0: await other.addAndWait(awaited)
      case 1:
        await other.add(awaited)
        await other.waitUntilAllOperationsAreFinished()
      case 2:
        try await withOperationQueue { queue in await queue.add { await other.waitUntilAllOperationsAreFinished() } }
      default: try await other.run {}
      }
    }
    if kind == 2 { await other.add(awaited) }
    let starting = Task { try await operation.start() }
    #expect(await eventually { recorder.kinds(of: operation) == [.started, .waitBegan] })
    await other.resume()
    try await starting.value
    #expect(recorder.kinds(of: operation) == [.started, .waitBegan, .waitEnded, .finished])
    if kind == 0 { #expect(recorder.cause(of: .waitBegan, of: operation) === awaited[0]) }
    if kind == 1 || kind == 2 { #expect(recorder.cause(of: .waitBegan, of: operation) == nil) }
  }

  // MARK: Causes

  @Test("A dependency that is removed is no cause, one that finishes is, also where it only completes")
  func causes() async throws {
    let recorder = EventRecorder()
    let queue = AsyncOperationQueue(observer: recorder)
    let never = AsyncOperation {}
    let (freed, dependent) = (AsyncOperation {}, AsyncOperation {})
    let failing = AsyncOperation<Void> { throw Failure() }
    try await freed.addDependency(never)
    try await dependent.addDependency(failing)
    await queue.add(freed, dependent)
    await freed.removeDependency(never)
    await queue.add(failing)
    for operation in [freed, dependent] { await operation.waitUntilFinished() }
    #expect(recorder.kinds(of: freed) == [.added, .blocked, .ready, .started, .finished])
    #expect(recorder.cause(of: .ready, of: freed) == nil)
    #expect(recorder.cause(of: .ready, of: dependent) === failing)
  }

  @Test("A dependency that has finished is no cause of a cancellation, nor of a start by hand")
  func noCauses() async throws {
    let recorder = EventRecorder()
    let never = AsyncOperation {}
    let (done, cancelled, started) = (AsyncOperation {}, AsyncOperation {}, AsyncOperation(observer: recorder) {})
    try await cancelled.addDependencies(done, never)
    try await started.addDependency(done)
    let queue = AsyncOperationQueue(observer: recorder)
    await queue.add(cancelled)
    await AsyncOperationQueue().addAndWait([done])
    cancelled.cancel()
    await cancelled.waitUntilFinished()
    try await started.start()
    #expect(recorder.kinds(of: cancelled) == [.added, .blocked, .cancelled, .finished])
    #expect(recorder.cause(of: .cancelled, of: cancelled) == nil)
    #expect(recorder.kinds(of: started) == [.started, .finished])
    #expect(recorder.cause(of: .started, of: started) == nil)
  }

  @Test("A body that throws the error of a failed dependency has run, so its end has no cause")
  func rethrown() async throws {
    let recorder = EventRecorder()
    let queue = AsyncOperationQueue(observer: recorder)
    let root = AsyncOperation<Void> { throw Failure() }
    let operation = await queue.add { throw OperationError.dependencyFailed(on: root, underlying: Failure()) }
    await operation.waitUntilFinished()
    #expect(recorder.cause(of: .finished, of: operation) == nil)
  }

  // MARK: Delivery

  @Test("A body waits until its start has been delivered by a thread that delivers an earlier event")
  func startIsAwaited() async throws {
    let (arrived, goOn, log) = (Gate(), Gate(), Locked<[String]>([]))
    let recorder = EventRecorder { event in
      if event.kind == .ready {
        arrived.open()
        goOn.waitBlocking()
      }
      log.withLock { $0.append("\(event.kind)") }
    }
    let queue = AsyncOperationQueue()
    let operation = AsyncOperation(observer: recorder) { log.withLock { $0.append("body") } }
    // As a batch: one that is added alone to an idle queue begins once observers have been told of that.
    Thread.detachNewThread { queue.add([operation]) }
    await arrived.wait()
    #expect(await eventually { operation.isExecuting })
    goOn.open()
    try await operation.value
    #expect(log.current == ["added", "ready", "started", "body", "finished"])
  }

  @Test("An end waits until it has been delivered by a thread that delivers an earlier event")
  func endIsAwaited() async throws {
    let (arrived, goOn, log) = (Gate(), Gate(), Locked<[String]>([]))
    let recorder = EventRecorder { event in
      if event.kind == .cancelled {
        arrived.open()
        goOn.waitBlocking()
      }
      log.withLock { $0.append("\(event.kind)") }
    }
    let queue = AsyncOperationQueue(isSuspended: true)
    let operation = AsyncOperation(observer: recorder) {}
    let dependent = AsyncOperation { log.withLock { $0.append("dependent") } }
    try await dependent.addDependency(operation)
    await queue.add(operation, dependent)
    Thread.detachNewThread { operation.cancel() }
    await arrived.wait()
    // The turn that ends the operation blocks its thread until the end has been delivered: not one that other tests need.
    let resuming = Task(executorPreference: LabelledExecutor("resuming")) { await queue.resume() }
    #expect(await eventually { operation.isFinished })
    goOn.open()
    try await dependent.value
    await resuming.value
    #expect(log.current == ["added", "ready", "cancelled", "finished", "dependent"])
  }

  @Test("An observer that has jobs run on its thread, which end the operation, does not wait for itself")
  func nested() {
    let executor = ManualExecutor()
    let queue = AsyncOperationQueue(executor: executor)
    let recorder = EventRecorder { event in if event.kind == .cancelled { _ = executor.runUntilIdle() } }
    let operation = AsyncOperation(observer: recorder) {}
    queue.add(operation)
    operation.cancel()
    #expect(operation.isFinished)
    #expect(recorder.kinds(of: operation) == [.added, .ready, .cancelled, .finished])
  }

  @Test("An executor that runs jobs where they are enqueued does not wait for itself", arguments: 0..<3)
  func inlineExecutor(kind: Int) async {
    let recorder = EventRecorder()
    let queue = AsyncOperationQueue(executor: InlineExecutor(), observer: recorder)
    switch kind {
    case 0: await queue.add { () async in }
    case 1: await queue.add((0..<3).map { _ in AsyncOperation { () async in } })
    default: await queue.addBarrier { () async in }
    }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.all.filter { $0.kind == .finished }.count == (kind == 1 ? 3 : 1))
    #expect(recorder.all.filter { $0.kind == .started }.count == (kind == 1 ? 3 : 1))
  }

  @Test("Nor does one that runs a reader of the queue's states, which takes a turn, while a batch is added")
  func inlineReader() async {
    let recorder = EventRecorder()
    let queue = AsyncOperationQueue(observer: recorder)
    let reader = Task(executorPreference: InlineExecutor()) {
      for await _ in queue.states { await queue.resume() }
    }
    let cancelled = AsyncOperation {}
    cancelled.cancel()
    await queue.add([cancelled, AsyncOperation {}])
    await queue.waitUntilAllOperationsAreFinished()
    queue.close()
    await reader.value
    #expect(recorder.all.filter { $0.kind == .finished }.count == 2)
  }

  // MARK: Lifetime

  @Test("An operation that is never run lets its observer go, and tells it nothing")
  func neverRun() {
    weak var observer: EventRecorder?
    do {
      let recorder = EventRecorder { event in Issue.record("\(event.kind)") }
      observer = recorder
      _ = AsyncOperation(observer: recorder) {}
    }
    #expect(observer == nil)
  }

  @Test("An observer of an operation that keeps its events is freed with it", arguments: [false, true])
  func keptEvents(isEnqueued: Bool) async throws {
    final class Keeper: OperationObserver {
      let events = Locked<[OperationEvent]>([])
      func observe(_ event: OperationEvent) { events.append(event) }
    }
    func run() async throws -> (keeper: Weak, operation: Weak) {
      let keeper = Keeper()
      let operation = AsyncOperation(observer: keeper) {}
      if isEnqueued { await AsyncOperationQueue().addAndWait([operation]) } else { try await operation.start() }
      #expect(keeper.events.current.last?.kind == .finished)
      return (Weak(keeper), Weak(operation))
    }
    let weak = try await run()
    #expect(await eventually { weak.keeper.object == nil && weak.operation.object == nil })
  }
}
