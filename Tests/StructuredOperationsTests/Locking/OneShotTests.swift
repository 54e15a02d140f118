import TestSupport
import Testing

@testable import StructuredOperations

@Suite("OneShot", .hangGuard)
struct OneShotTests {
  /// Runs jobs on the calling thread, so that a test knows when a task is suspended.
  private final class JobList: TaskExecutor {
    private let jobs = Guarded<[UnownedJob]>([])
    private let onEnqueue: @Sendable () -> Void

    init(onEnqueue: @escaping @Sendable () -> Void = {}) {
      self.onEnqueue = onEnqueue
    }

    func enqueue(_ job: consuming ExecutorJob) {
      onEnqueue()
      let job = UnownedJob(job)
      jobs.withLock { $0.append(job) }
    }

    func runAll() {
      while let job = jobs.withLock({ $0.popLast() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Starts a task that awaits the value, and returns where the task stores it.
    func await(_ oneShot: OneShot<Int>) -> (task: Task<Void, Never>, result: Locked<Int?>) {
      let result = Locked<Int?>(nil)
      let task = Task(executorPreference: self) {
        let value = await oneShot.value
        result.withLock { $0 = value }
      }
      runAll()
      return (task, result)
    }
  }

  @Test("A value that is set already is returned without suspending")
  func setBefore() {
    let oneShot = OneShot<Int>()
    #expect(oneShot.currentValue == nil)
    oneShot.fulfil(with: 1)
    #expect(oneShot.currentValue == 1)
    #expect(JobList().await(oneShot).result.current == 1)
  }

  @Test("A task that waits is suspended until the value is set")
  func setAfter() {
    let jobs = JobList()
    let oneShot = OneShot<Int>()
    let result = jobs.await(oneShot).result
    #expect(result.current == nil)
    oneShot.fulfil(with: 1)
    jobs.runAll()
    #expect(result.current == 1)
  }

  @Test("The first value wins, before and after it has been read")
  func firstWins() {
    let jobs = JobList()
    let oneShot = OneShot<Int>()
    let result = jobs.await(oneShot).result
    oneShot.fulfil(with: 1)
    oneShot.fulfil(with: 2)
    jobs.runAll()
    oneShot.fulfil(with: 3)
    #expect(result.current == 1)
    #expect(oneShot.currentValue == 1)
  }

  @Test("A value that is nil counts as a value")
  func nilValue() {
    let oneShot = OneShot<Int?>()
    oneShot.fulfil(with: nil)
    oneShot.fulfil(with: 1)
    #expect(oneShot.currentValue == .some(nil))
  }

  @Test("Cancelling the waiting task does not end the wait")
  func cancelled() {
    let jobs = JobList()
    let oneShot = OneShot<Int>()
    let (task, result) = jobs.await(oneShot)
    task.cancel()
    jobs.runAll()
    #expect(result.current == nil)
    oneShot.fulfil(with: 1)
    jobs.runAll()
    #expect(result.current == 1)
  }

  // An executor that reads the value while it is called would block for ever under the lock.
  @Test("The waiting task is resumed after the lock has been released")
  func resumedOutsideLock() {
    let oneShot = OneShot<Int>()
    let seen = Locked<Int?>(nil)
    let jobs = JobList { seen.withLock { $0 = oneShot.currentValue } }
    let result = jobs.await(oneShot).result
    oneShot.fulfil(with: 1)
    #expect(seen.current == 1)
    jobs.runAll()
    #expect(result.current == 1)
  }

  @Test("The value is freed with its one-shot")
  func freed() {
    weak var value: Locked<Int>?
    func use() {
      let oneShot = OneShot<Locked<Int>>()
      oneShot.fulfil(with: Locked(0))
      value = oneShot.currentValue
      #expect(value != nil)
    }
    use()
    #expect(value == nil)
  }

  @Test("Of values set by several threads at once one wins, and the waiting task gets it", arguments: 0..<200)
  func race(round: Int) async {
    let oneShot = OneShot<Int>()
    let isWaiting = Gate()
    async let value = {
      isWaiting.open()
      return await oneShot.value
    }()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<2 {
        group.addTask(executorPreference: OperationThreadPool.shared) {
          // The delay differs from round to round, so that the value is set before, while and after the task suspends.
          await isWaiting.wait()
          for _ in 0..<(round % 20) { _ = oneShot.currentValue }
          oneShot.fulfil(with: number)
        }
      }
    }
    #expect(await value == oneShot.currentValue)
  }

  // What the waiting task does if the value is set between its look at the value and its registration.
  @Test("A task that registers after the value has been set is resumed at once")
  func registeredLate() async {
    let oneShot = OneShot<Int>()
    oneShot.fulfil(with: 1)
    await suspendTask(registering: oneShot.register)
    #expect(await oneShot.value == 1)
  }
}
