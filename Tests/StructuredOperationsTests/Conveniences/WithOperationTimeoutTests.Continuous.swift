import TestSupport
import Testing

import class StructuredOperationsTesting.ManualExecutor
import class StructuredOperationsTesting.SeededExecutor
import class StructuredOperationsTesting.VirtualClock

@testable import StructuredOperations

extension WithOperationTimeoutTests {
  /// Without a clock of the caller's, time-outs share a timer.
  @Suite("On the continuous clock", .timeLimit(.minutes(15)), .hangGuard)
  struct Continuous {
    @Test("What ends in time has its own value or error, and leaves nothing in the timer")
    func inTime() async throws {
      let timer = try #require(SharedTimer.replacing(ContinuousClock()))
      // Other tests have some there, too.
      let before = timer.scheduler.withLock { ($0.entryCount, $0.sleepers.count) }
      for number in 0..<2_000 {
        #expect(try await withOperationTimeout(.seconds(3_600)) { number } == number)
        await #expect(throws: Failure(code: 1)) {
          try await withOperationTimeout(.seconds(3_600)) { throw Failure(code: 1) }
        }
      }
      let after = timer.scheduler.withLock { ($0.entryCount, $0.sleepers.count) }
      #expect(after.0 < before.0 + 2_000 && after.1 < before.1 + 1_000)
    }

    @Test("When the time is up the closure is cancelled, not before, and the time-out is thrown whatever it ends with")
    func timeUp() async {
      let clock = ContinuousClock()
      for way in 0..<3 {
        let start = clock.now
        await #expect(throws: OperationError.timedOut(.milliseconds(2))) {
          try await withOperationTimeout(.milliseconds(2)) {
            await untilCancelled()
            #expect(start.duration(to: clock.now) >= .milliseconds(2))
            if way == 1 { throw Failure() }
            if way == 2 { throw CancellationError() }
          }
        }
      }
    }

    @Test("Each of many has its own time, also where a later call has a shorter one")
    func many() async throws {
      try await withThrowingTaskGroup { group in
        for number in 0..<200 {
          group.addTask {
            let time = Duration.milliseconds(200 - number)
            await #expect(throws: OperationError.timedOut(time)) {
              try await withOperationTimeout(time) { await untilCancelled() }
            }
          }
        }
        try await group.waitForAll()
      }
    }

    @Test("Cancelled from outside, the closure has no time any more")
    func outerCancellation() async throws {
      let clock = ContinuousClock()
      var time = Duration.milliseconds(50)
      while true {
        let (begun, later) = (Gate(), Gate())
        let start = clock.now
        let task = Task { [time] in
          try await withOperationTimeout(time) {
            begun.open()
            await later.wait()
            return 42
          }
        }
        await begun.wait()
        task.cancel()
        let isInTime = clock.now < start + time
        // Due after the other one.
        try? await withOperationTimeout(time) { await untilCancelled() }
        later.open()
        if isInTime {
          #expect(try await task.value == 42)
          return
        }
        // The machine was too busy.
        time *= 2
      }
    }

    @Test("A time that comes once the caller is cancelled does not count")
    func cancelledCaller() async throws {
      let task = Task {
        let timeEnd = TimeoutTask.TimeEnd(after: .seconds(1), on: VirtualClock())
        let closure = TimeoutTask(caller: try #require(BodyTask.current), timeEnd: timeEnd)
        await untilCancelled()
        let (_, timerID) = closure.begin()
        closure.timerFired()
        #expect(closure.end(timerID))
        return closure.isTimeUp
      }
      task.cancel()
      #expect(try await task.value == false)
    }

    @Test("What begins after its time begins cancelled, and is not in time, whatever the timer does")
    func tooShort() async {
      for _ in 0..<500 {
        var isCancelled = false
        await #expect(throws: OperationError.timedOut(.nanoseconds(1))) {
          try await withOperationTimeout(.nanoseconds(1)) { isCancelled = Task.isCancelled }
        }
        #expect(isCancelled)
      }
    }

    @Test("What ends after its time is not in time, also where no thread was free for the timer")
    func busyThreads() async throws {
      let clock = ContinuousClock()
      try await withThrowingTaskGroup { group in
        for _ in 0..<100 {
          group.addTask(priority: .high) {
            await #expect(throws: OperationError.timedOut(.milliseconds(1))) {
              try await withOperationTimeout(.milliseconds(1)) {
                let end = clock.now + .milliseconds(2)
                while clock.now < end {}
              }
            }
          }
        }
        try await group.waitForAll()
      }
    }

    @Test(
      "No time is too long: the timer, whose clock ends before some of them, knows it as a hundred years",
      arguments: [.seconds(Int64.max), .seconds(3_155_760_001)] as [Duration])
    func long(time: Duration) async throws {
      guard case .timer(let timer, let due) = TimeoutTask.TimeEnd(after: time, on: ContinuousClock()) else {
        throw Unexpected("no timer")
      }
      #expect(due <= timer.elapsed + OperationSleep.longest)
      #expect(try await withOperationTimeout(time) { 42 } == 42)
    }

    @Test("Where no time is left the closure runs cancelled from its beginning")
    func noTime() async {
      var isCancelled = false
      await #expect(throws: OperationError.timedOut(.zero)) {
        try await withOperationTimeout(.zero) { isCancelled = Task.isCancelled }
      }
      #expect(isCancelled)
    }

    @Test("Each cancellation has a task of its own, so that a handler that takes long holds up no other one")
    func handlers() async {
      guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
      let name = Locked<String?>(nil)
      var time = Duration.milliseconds(5)
      // Where the time is up before the handler is set, that is called by the closure's task.
      while name.current == nil {
        try? await withOperationTimeout(time) {
          let cancelled = Gate()
          await withTaskCancellationHandler {
            await cancelled.wait()
          } onCancel: {
            name.withLock { $0 = Task.name }
            cancelled.open()
          }
        }
        time *= 2
      }
      #expect(name.current == "time-out")
    }

    @Test("The timer waits for no executor that the caller prefers")
    func preferredExecutor() async {
      let executor = ManualExecutor()
      let (begun, cancelled) = (Gate(), Gate())
      let task = Task(executorPreference: executor) {
        try await withOperationTimeout(.milliseconds(50)) {
          await withTaskCancellationHandler {
            begun.open()
            await cancelled.wait()
          } onCancel: {
            cancelled.open()
          }
        }
      }
      while !begun.isOpen { executor.step() }
      // Nothing runs there now.
      await cancelled.wait()
      let ended = Gate()
      Task {
        _ = await task.result
        ended.open()
      }
      while !ended.isOpen { if !executor.step() { await Task.yield() } }
      await #expect(throws: OperationError.timedOut(.milliseconds(50))) { try await task.value }
    }

    @Test("Of an end and a time that come at once one counts")
    func races() async throws {
      try await withThrowingTaskGroup { group in
        for number in 0..<500 {
          group.addTask {
            let time = Duration.microseconds(number)
            do {
              #expect(
                try await withOperationTimeout(time) {
                  for _ in 0..<number { await Task.yield() }
                  return number
                } == number)
            } catch { #expect(error as? OperationError == .timedOut(time)) }
          }
        }
        try await group.waitForAll()
      }
    }

    @Test("An actor that its closure keeps busy does not keep the closure from being cancelled")
    @MainActor
    func busyActor() async {
      await #expect(throws: OperationError.timedOut(.milliseconds(2))) {
        try await withOperationTimeout(.milliseconds(2)) {
          while !Task.isCancelled {}
        }
      }
    }

    @Test("A seeded executor is told of each, and so are the users of other clocks")
    func reproducible() throws {
      #expect(SharedTimer.replacing(VirtualClock()) == nil)
      let executor = SeededExecutor(seed: 1)
      let isReplaced = try executor.run {
        await Task.detached(executorPreference: executor) { SharedTimer.replacing(ContinuousClock()) != nil }.value
      }
      #expect(!isReplaced)
    }
  }
}
