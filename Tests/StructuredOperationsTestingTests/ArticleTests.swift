import StructuredOperations
import StructuredOperationsTesting
import class StructuredOperationsTesting.Gate
import Testing
import TestSupport

/// What the article on testing one's own graph shows.
@Suite("Testing a graph of operations", .hangGuard)
struct ArticleTests {
  private let executor = SeededExecutor(seed: 4)
  private let recorder = OperationRecorder<String>()

  @Test("A fault that needs one order out of several is found by some seed, and by the same one again")
  func search() throws {
    let failing = try (UInt64(0)..<100).filter { try !Self.keepsOrder(seed: $0) }
    #expect((1..<100).contains(failing.count))
    #expect(try failing.allSatisfy { try !Self.keepsOrder(seed: $0) })
  }

  /// Two operations of which somebody believes that they end in the order in which they were added.
  private static func keepsOrder(seed: UInt64) throws -> Bool {
    let recorder = OperationRecorder<Int>()
    let executor = SeededExecutor(seed: seed)
    try executor.run {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2, executor: executor)
      for number in 0..<2 {
        await queue.add { await recorder.record(number) { await Task.yield() } }
      }
      await queue.waitUntilAllOperationsAreFinished()
    }
    return recorder.ended == [0, 1]
  }

  @Test("An operation that waits for one that nobody runs is found at once")
  func hang() throws {
    let executor = executor
    let forgotten = AsyncOperation(executor: executor) {}
    let error = #expect(throws: SeededExecutorError.self) {
      try executor.run {
        let queue = AsyncOperationQueue(executor: executor)
        let operation = AsyncOperation {}
        try await operation.addDependency(forgotten)
        await queue.add(operation)
        await operation.waitUntilFinished()
      }
    }
    #expect(error == .stalled(seed: 4, steps: executor.stepCount, explanations: []))
    // What hangs would be a leak: somebody runs it after all.
    try executor.run { try await forgotten.start() }
  }

  /// Answers when it is asked for the last time, and is silent before.
  private actor Server {
    private let clock: VirtualClock
    private var remaining: Int

    init(answersAt attempt: Int, clock: VirtualClock) {
      remaining = attempt
      self.clock = clock
    }

    func answer() async throws -> String {
      remaining -= 1
      if remaining > 0 { try await clock.sleep(for: .seconds(3_600)) }
      return "hello"
    }
  }

  @Test("A server that answers at the third attempt is waited for, in virtual time")
  func time() throws {
    for seed in UInt64(0)..<100 {
      HangGuard.progress()
      let clock = VirtualClock()
      let executor = SeededExecutor(seed: seed, clock: clock)
      try executor.run {
        let start = clock.now
        let server = Server(answersAt: 3, clock: clock)
        let queue = AsyncOperationQueue(executor: executor)
        let answer = await queue.add {
          try await withOperationRetry(.constant(.seconds(60), attempts: 5), clock: clock) {
            try await withOperationTimeout(.seconds(5), clock: clock) { try await server.answer() }
          }
        }
        let text = try await answer.value
        #expect(text == "hello")
        #expect(start.duration(to: clock.now) == .seconds(130), "seed \(seed)")
      }
    }
  }

  @Test("A graph rests where a gate holds it, and can be looked at there")
  func rest() throws {
    try executor.run { [executor, recorder] in
      let queue = AsyncOperationQueue(executor: executor)
      let gate = Gate()
      let upload = AsyncOperation { await gate.wait() }
      let tidyUp = AsyncOperation { recorder.note("tidy up") }
      try await tidyUp.addDependency(upload)
      await queue.add(upload, tidyUp)

      await executor.waitUntilIdle()
      #expect(upload.isExecuting && tidyUp.state == .pending)

      upload.cancel()
      gate.open()
      await tidyUp.waitUntilFinished()
    }
    #expect(recorder.begun == ["tidy up"])
  }
}
