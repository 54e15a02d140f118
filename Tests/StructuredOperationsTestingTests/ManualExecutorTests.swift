import StructuredOperations
import StructuredOperationsTesting
import Testing
import TestSupport

@Suite("ManualExecutor", .hangGuard)
struct ManualExecutorTests {
  private let executor = ManualExecutor()

  @Test("Nothing moves between two steps")
  func steps() {
    let recorder = OperationRecorder<Int>()
    Task(executorPreference: executor) {
      recorder.note(1)
      await Task.yield()
      recorder.note(2)
    }
    #expect(recorder.begun == [])
    #expect(executor.jobCount == 1)
    #expect(executor.step())
    #expect(recorder.begun == [1])
    #expect(executor.runUntilIdle() > 0)
    #expect(recorder.begun == [1, 2])
    #expect(!executor.step())
  }

  @Test("Jobs run in the order in which they came, or in the one that is asked for")
  func order() {
    let recorder = OperationRecorder<Int>()
    for number in 0..<4 {
      Task(executorPreference: executor) { recorder.note(number) }
    }
    executor.step(at: 2)
    executor.step()
    #expect(executor.runUntilIdle() == 2)
    #expect(recorder.begun == [2, 0, 1, 3])
  }

  @Test("A queue runs step by step, synchronous bodies too")
  func queue() {
    let recorder = OperationRecorder<String>()
    let first = AsyncOperation { recorder.note("first") }
    let second = AsyncOperation(after: first) { _ in recorder.note("second") }
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, executor: executor)
    queue.add(second, first)
    #expect(first.state == .ready)
    while recorder.begun.isEmpty { #expect(executor.step()) }
    #expect(recorder.begun == ["first"])
    #expect(!second.isFinished)
    executor.runUntilIdle()
    #expect(recorder.begun == ["first", "second"])
    #expect(second.isFinished)
  }
}
