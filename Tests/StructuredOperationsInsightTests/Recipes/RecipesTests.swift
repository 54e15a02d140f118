import Observation
import StructuredOperations
import TestSupport
import Testing

@Suite("The observers of the article", .hangGuard)
struct RecipesTests {
  @Test("A log has a line for each event")
  func log() async throws {
    let logger = Logger()
    let queue = AsyncOperationQueue(name: "images", observer: OperationLog(logger: logger))
    try await queue.add(name: "resize") {}.value
    // Without the state, which may be a later one: the operation can be chosen while its addition is observed.
    #expect(
      logger.lines.current.map { $0.replacing(#/ \(.*\)/#, with: "") } == [
        "added: AsyncOperation \"resize\" queue=images",
        "ready: AsyncOperation \"resize\" queue=images",
        "started: AsyncOperation \"resize\" queue=images",
        "finished: AsyncOperation \"resize\" queue=images",
      ])
  }

  @Test("Metrics count what has finished, and time what has run")
  func metrics() async {
    let metrics = OperationMetrics()
    let queue = AsyncOperationQueue(observer: metrics)
    let cancelled = AsyncOperation {}
    cancelled.cancel()
    await queue.add(cancelled, AsyncOperation {}, AsyncOperation { throw Failure() })
    await queue.waitUntilAllOperationsAreFinished()
    #expect(metrics.finished.value.current == 3)
    #expect(metrics.durations.recorded.current.count == 2)
  }

  @Test("The ending of an operation is that of its body, also where it was cancelled meanwhile")
  func endings() async throws {
    let blocker = Blocker(name: "stubborn")
    let (failed, cancelled) = (AsyncOperation { throw Failure() }, AsyncOperation {})
    // What a body throws that awaits the value of a cancelled operation.
    let failedByCancelled = AsyncOperation { throw CancellationError() }
    let skipped = AsyncOperation {}
    try await skipped.addDependency(failed, requiring: .success)
    cancelled.cancel()
    let queue = AsyncOperationQueue()
    await queue.add(blocker.operation, cancelled, failed, failedByCancelled, skipped)
    await blocker.begun.wait()
    blocker.operation.cancel()
    blocker.release.open()
    await queue.waitUntilAllOperationsAreFinished()

    let operations: [any OperationProtocol] = [blocker.operation, cancelled, failed, failedByCancelled, skipped]
    #expect(operations.map(ending(of:)) == ["succeeded", "cancelled", "failed", "failed", "skipped"])
    #expect(operations.map(\.isCancelled) == [true, true, false, false, false])
  }

  private final class RecordedSpan: Span {
    let entries: Locked<[String]>

    init(_ entries: Locked<[String]>) { self.entries = entries }

    func addEvent(_ name: String) { entries.withLock { $0.append(name) } }
    func recordError(_ error: any Error) { entries.withLock { $0.append("\(error)") } }
    func end() { entries.withLock { $0.append("end") } }
  }

  private struct RecordingTracer: Tracer {
    let entries = Locked<[String]>([])

    func startAnySpan(_ operationName: String, context: @autoclosure () -> ServiceContext) -> any Span {
      let name = "\(operationName) in \(context().name)"
      entries.withLock { $0.append(name) }
      return RecordedSpan(entries)
    }
  }

  @Test("A trace has a span for each body, with its waits and its error")
  func tracing() async {
    let tracer = RecordingTracer()
    let queue = AsyncOperationQueue(observer: OperationTracing(tracer))
    // A wait for what has finished already is none.
    let other = AsyncOperationQueue(isSuspended: true)
    await queue.add(name: "outer") {
      await other.add(name: "inner") {}.waitUntilFinished()
      throw Failure()
    }
    #expect(await eventually { tracer.entries.current.contains("waits for inner") })
    await other.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(tracer.entries.current == ["outer in top level", "waits for inner", "goes on", "\(Failure())", "end"])
  }

  @Test("A span belongs to the context in which its operation was added or run, however that was done")
  func contexts() async throws {
    let tracer = RecordingTracer()
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, observer: OperationTracing(tracer))
    func inContext(_ name: String, _ body: () async throws -> Void) async throws {
      try await ServiceContext.$current.withValue(ServiceContext(name: name), operation: body)
    }
    await queue.suspend()
    try await inContext("one") { queue.add(name: "a") {} }
    try await inContext("two") { await queue.add(AsyncOperation(name: "b") {}) }
    try await inContext("three") { await queue.add(AsyncOperation(name: "c") {}, AsyncOperation(name: "d") {}) }
    try await inContext("four") { try await queue.enqueue(AsyncOperation(name: "e") {}) }
    try await inContext("five") { try await AsyncOperation(name: "f", observer: OperationTracing(tracer)) {}.start() }
    await queue.resume()
    try await inContext("six") { try await queue.run(name: "g") {} }
    await queue.waitUntilAllOperationsAreFinished()

    let spans = tracer.entries.current.filter { $0.contains(" in ") }
    #expect(spans == ["f in five", "a in one", "b in two", "c in three", "d in three", "e in four", "g in six"])
  }

  @Test(
    "A service whose task is cancelled ends with its queue, which is closed, and has cancelled what it had",
    arguments: [false, true])
  func cancelledService(isDraining: Bool) async throws {
    let (queue, shutdown) = (AsyncOperationQueue(maxConcurrentOperationCount: 1), Gate())
    let running = await queue.add { while !Task.isCancelled { await Task.yield() } }
    let waiting = await queue.add {}
    let service = Task { try await Shutdown.$gate.withValue(shutdown) { try await QueueService(queue: queue).run() } }
    if isDraining {
      shutdown.open()
      #expect(await eventually { queue.isClosed })
    }
    service.cancel()
    try await service.value
    #expect(queue.isClosed && running.isFinished && waiting.isFinished && waiting.isCancelled)
  }

  @Test("A service ends when its queue has finished what it had")
  func service() async throws {
    let (queue, shutdown, release) = (AsyncOperationQueue(), Gate(), Gate())
    let operation = await queue.add { await release.wait() }
    async let end: Void = Shutdown.$gate.withValue(shutdown) { try await QueueService(queue: queue).run() }
    shutdown.open()
    #expect(await eventually { queue.isClosed })
    release.open()
    try await end
    #expect(operation.isFinished)
  }

  /// What a list shows.
  @MainActor private static func lines(_ model: QueueModel) -> [String] {
    model.rows.map { "\($0.name) \($0.state)\($0.isCancelled ? " cancelled" : "")\($0.error.map { " \($0)" } ?? "")" }
  }

  @Test("A list of all operations follows them, without a task for each row")
  @MainActor func list() async throws {
    let model = QueueModel(name: "uploads", maxConcurrentOperationCount: 1)
    let redraws = Locked(0)
    @MainActor func draw() -> [String] {
      withObservationTracking {
        Self.lines(model)
      } onChange: {
        redraws.increment()
      }
    }
    #expect(draw() == [])
    let release = Gate()
    await model.queue.add(name: "a") { await release.wait() }
    let failing = AsyncOperation<Void>(name: "b") { throw Failure() }
    let dependent = AsyncOperation(name: "c") {}
    try await dependent.addDependency(failing)
    await model.queue.add(dependent, failing)
    #expect(await eventually { Self.lines(model) == ["a executing", "c pending", "b ready"] })
    #expect(redraws.current == 1)
    dependent.cancel()
    release.open()
    let end = ["a finished", "c finished cancelled CancellationError()", "b finished \(Failure())"]
    #expect(await eventually { Self.lines(model) == end })
    #expect(model.rows.allSatisfy { $0.state == .finished })

    // Nobody is told of the cancellation again, and the name is no description, which would tell a state that passes.
    let unnamed = AsyncOperation {}
    unnamed.cancel()
    await model.queue.add(unnamed)
    let row = "Operation 4 finished cancelled CancellationError()"
    #expect(await eventually { Self.lines(model).last == row })
  }

  @Test("The model of a list is freed with its last owner, whatever its task reads")
  @MainActor func listIsFreed() async {
    weak var freed: QueueModel?
    do {
      let model = QueueModel(name: "uploads", maxConcurrentOperationCount: 1)
      await model.queue.add {}.waitUntilFinished()
      freed = model
    }
    #expect(await eventually { freed == nil })
  }
}
