import StructuredOperationsTesting
import class StructuredOperationsTesting.Gate
import Testing
import TestSupport

@Suite("Gate", .hangGuard)
struct GateTests {
  @Test("Tasks wait until it is opened, and not afterwards")
  func waiting() throws {
    let (executor, gate, recorder) = (SeededExecutor(seed: 1), Gate(), OperationRecorder<Int>())
    try executor.run {
      for number in 0..<3 {
        Task(executorPreference: executor) {
          await gate.wait()
          recorder.note(number)
        }
      }
      await executor.waitUntilIdle()
      #expect(gate.waiterCount == 3)
      #expect(!gate.isOpen)
      gate.open()
      gate.open()
      await executor.waitUntilIdle()
      #expect(Set(recorder.begun) == [0, 1, 2])
      await gate.wait()
    }
    #expect(gate.isOpen)
    #expect(gate.waiterCount == 0)
  }

  @Test("Cancelling a task that waits does not cut the wait short")
  func cancelling() throws {
    let (executor, gate) = (SeededExecutor(seed: 1), Gate())
    try executor.run {
      let waiter = Task(executorPreference: executor) { await gate.wait() }
      waiter.cancel()
      await executor.waitUntilIdle()
      #expect(gate.waiterCount == 1)
      gate.open()
      await waiter.value
    }
  }
}
