import Testing
import TestSupport

@testable import StructuredOperations

@Suite("PR Priority and order", .hangGuard)
struct PrioritySemantics {
  /// Adds everything to a suspended queue of width 1 and tells the order in which it ran.
  private func run(_ operations: [any OperationProtocol], _ recorder: Recorder<String>) async -> String {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
    for operation in operations { await queue.add(operation) }
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    return recorder.begun.joined()
  }

  private func operation(
    _ name: String,
    _ priority: QueuePriority,
    taskPriority: TaskPriority? = nil,
    _ recorder: Recorder<String>
  ) -> AsyncOperation<Void> {
    AsyncOperation(name: name, queuePriority: priority, taskPriority: taskPriority) { recorder.note(name) }
  }

  @Test("PR-01 The levels have Foundation's numbers, from the lowest to the highest")
  func levels() {
    #expect(QueuePriority.allCases == [.veryLow, .low, .normal, .high, .veryHigh])
    #expect(QueuePriority.allCases.map(\.rawValue) == [-8, -4, 0, 4, 8])
  }

  @Test(
    "PR-02 A number that is no level moves towards normal, to the first level it meets",
    arguments: [
      (Int.min, .veryLow), (-10, .veryLow), (-9, .veryLow), (-8, .veryLow),
      (-7, .low), (-5, .low), (-4, .low),
      (-3, .normal), (-1, .normal), (0, .normal), (1, .normal), (3, .normal),
      (4, .high), (5, .high), (7, .high),
      (8, .veryHigh), (9, .veryHigh), (10, .veryHigh), (Int.max, .veryHigh),
    ] as [(Int, QueuePriority)])
  func clamping(number: Int, level: QueuePriority) {
    #expect(QueuePriority(clamping: number) == level)
  }

  @Test("PR-03, D-11 The higher priority first, then the order of addition")
  func priorities() async {
    let recorder = Recorder<String>()
    let operations = [
      operation("a", .low, recorder), operation("b", .normal, recorder), operation("c", .veryHigh, recorder),
      operation("d", .low, recorder), operation("e", .veryLow, recorder), operation("f", .high, recorder),
      operation("g", .veryHigh, recorder), operation("h", .normal, recorder),
    ]
    #expect(await run(operations, recorder) == "cgfbhade")
  }

  @Test("PR-03 One that becomes ready late takes its place by the order of addition")
  func lateReadiness() async throws {
    let recorder = Recorder<String>()
    let operations = ["a", "b", "c", "d"].map { operation($0, .normal, recorder) }
    try await operations[0].addDependency(operations[1])
    #expect(await run(operations, recorder) == "bacd")
  }

  @Test("PR-04 What runs is not displaced by what is more important")
  func notPreemptive() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let blocker = Blocker(queuePriority: .veryLow)
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    let urgent = AsyncOperation(queuePriority: .veryHigh) {}
    await queue.add(urgent)
    #expect(blocker.operation.isExecuting)
    #expect(urgent.state == .ready)
    blocker.release.open()
    await urgent.waitUntilFinished()
  }

  @Test("PR-05 One at a time is not first in, first out: readiness and priority come before the order of addition")
  func notFirstInFirstOut() async throws {
    let recorder = Recorder<String>()
    let operations = [
      operation("a", .normal, recorder), operation("b", .normal, recorder), operation("c", .low, recorder),
      operation("d", .high, recorder),
    ]
    try await operations[0].addDependency(operations[2])
    #expect(await run(operations, recorder) == "dbca")
  }

  @Test("PR-06 Another level moves to its end, the same one moves nothing")
  func changed() async {
    let recorder = Recorder<String>()
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
    let operations = ["a", "b", "c", "d"].map { operation($0, .normal, recorder) }
    await queue.add(operations)
    await operations[0].setQueuePriority(.normal)
    await operations[1].setQueuePriority(.high)
    await operations[1].setQueuePriority(.normal)
    await operations[3].setQueuePriority(.veryHigh)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun.joined() == "dacb")
  }

  @Test("PR-06 Of several moves before a turn the last one counts")
  func changedTwice() async {
    let recorder = Recorder<String>()
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
    let operations = ["a", "b", "c"].map { operation($0, .normal, recorder) }
    await queue.add(operations)
    await operations[0].setQueuePriority(.high)
    await operations[1].setQueuePriority(.veryHigh)
    await operations[0].setQueuePriority(.veryHigh)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun.joined() == "bac")
  }

  @Test("PR-07 A finished operation keeps its priority")
  func priorityAfterwards() async throws {
    let operation = AsyncOperation(queuePriority: .low) {}
    await operation.setQueuePriority(.high)
    #expect(operation.queuePriority == .high)
    try await operation.start()
    await operation.setQueuePriority(.veryLow)
    #expect(operation.queuePriority == .high)
  }

  @Test("PR-07 An executing operation keeps its priority, too")
  func priorityWhileExecuting() async {
    let blocker = Blocker(queuePriority: .low)
    await AsyncOperationQueue().add(blocker.operation)
    await blocker.begun.wait()
    await blocker.operation.setQueuePriority(.veryHigh)
    #expect(blocker.operation.queuePriority == .low)
    blocker.release.open()
    await blocker.operation.waitUntilFinished()
  }

  @Test("PR-08 A batch is ranked as a whole before any of it starts")
  func batch() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    for _ in 0..<100 {
      let recorder = Recorder<QueuePriority>()
      await queue.addAndWait(
        QueuePriority.allCases.map { priority in
          AsyncOperation(queuePriority: priority) { recorder.note(priority) }
        })
      #expect(recorder.begun == QueuePriority.allCases.reversed())
    }
  }

  @Test("PR-09 A priority counts among the operations of one queue, and not between queues")
  func perQueue() async {
    let (one, other) = (
      AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue(maxConcurrentOperationCount: 1)
    )
    let blocker = Blocker()
    let urgent = AsyncOperation(queuePriority: .veryHigh) {}
    await one.add(blocker.operation, AsyncOperation {})
    await blocker.begun.wait()
    await one.add(urgent)
    await other.addAndWait([AsyncOperation(queuePriority: .veryLow) {}])
    #expect(urgent.state == .ready)
    blocker.release.open()
    await one.waitUntilAllOperationsAreFinished()
  }

  @Test("PR-10 The task priority of an operation does not change its place")
  func taskPriority() async {
    let recorder = Recorder<String>()
    let operations = [
      operation("a", .normal, taskPriority: .low, recorder), operation("b", .normal, taskPriority: .high, recorder),
      operation("c", .normal, recorder),
    ]
    #expect(await run(operations, recorder) == "abc")
  }

  @Test("PR-11 An operation of low priority waits as long as more important ones come")
  func starvation() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
    let recorder = Recorder<Int>()
    @Sendable func addNext(_ number: Int) {
      queue.add(queuePriority: .high) {
        recorder.note(number)
        if number < 100 { addNext(number + 1) }
      }
    }
    await queue.add(queuePriority: .low) { recorder.note(0) }
    addNext(1)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == Array(1...100) + [0])
  }
}
