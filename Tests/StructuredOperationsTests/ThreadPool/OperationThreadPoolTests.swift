import Foundation
import Testing
import TestSupport

@testable import StructuredOperations

@Suite("OperationThreadPool", .hangGuard)
struct OperationThreadPoolTests {
  private static let pool = OperationThreadPool.shared

  @Test("Synchronous bodies run on its threads, asynchronous and callback bodies do not")
  func whoRunsHere() async throws {
    let queue = AsyncOperationQueue()
    let synchronous = await queue.add { PoolThread.current != nil }
    let asynchronous = await queue.add {
      await Task.yield()
      return isOnPoolThread()
    }
    let callback = AsyncOperation<Bool> { $0.finish(returning: isOnPoolThread()) }
    await queue.add(callback)
    #expect(try await synchronous.value)
    #expect(try await !asynchronous.value)
    #expect(try await !callback.value)
    #expect(!isOnPoolThread())
  }

  @Test("As the executor of an operation it runs asynchronous bodies, too, also after they have suspended")
  func asExecutor() async throws {
    let operation = AsyncOperation(executor: Self.pool) {
      let before = isOnPoolThread()
      await Task.yield()
      return before && isOnPoolThread()
    }
    try await operation.start()
    #expect(try await operation.value)
  }

  @Test("Of jobs that a job enqueues each one runs")
  func manyJobs() async {
    await Task(executorPreference: Self.pool) {
      await withTaskGroup { group in
        for number in 0..<1_000 { group.addTask(executorPreference: Self.pool) { number } }
        #expect(await group.reduce(0, +) == 499_500)
      }
    }.value
  }

  @Test("A body on a thread of somebody else's runs there")
  func foreignThread() throws {
    let thread = Thread.current
    #expect(OperationThreadPool.blocking { Thread.current === thread })
    #expect(throws: Failure(code: 1)) { try OperationThreadPool.blocking { throw Failure(code: 1) } }
  }

  @Test("A body that throws leaves its thread fit for the next ones")
  func throwingBodies() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    let failing = (0..<100).map { number in AsyncOperation { throw Failure(code: number) } }
    await queue.add(failing)
    for (number, operation) in failing.enumerated() {
      await #expect(throws: Failure(code: number)) { try await operation.value }
    }
    let kept = await queue.add(executor: Self.pool) {
      await Task.yield()
      return isOnPoolThread()
    }
    #expect((try? await kept.value) == true)
  }

  #if os(Linux)
    @Test("10 000 short bodies get by with a few threads, which are used again")
    func shortBodies() async {
      await #expect(processExitsWith: .success) {
        HangGuard.watch("10 000 short bodies get by with a few threads, which are used again")
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 64)
        let threads = Locked<Set<ObjectIdentifier>>([])
        await queue.add(
          (0..<10_000).map { _ in
            AsyncOperation {
              threads.withLock { $0.formUnion(PoolThread.current.map { [ObjectIdentifier($0)] } ?? []) }
            }
          })
        await queue.waitUntilAllOperationsAreFinished()
        // How many more than 64 depends on how often the process gets to run at all.
        #expect(threads.current.count <= 512)
        #expect(Self.threadCount() <= 544)
      }
    }

    @Test("One body after another hardly needs a second thread")
    func serialBodies() async {
      await #expect(processExitsWith: .success) {
        HangGuard.watch("One body after another hardly needs a second thread")
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
        let threads = Locked<Set<UInt>>([])
        for _ in 0..<1_000 { await queue.add { threads.withLock { _ = $0.insert(UInt(pthread_self())) } } }
        await queue.waitUntilAllOperationsAreFinished()
        // More than one core's worth: the job that a thread keeps goes to another one while the system lets that thread wait.
        #expect(threads.current.count <= 2 * OperationThreadPool.coreCount)
      }
    }

    /// How many threads the process has.
    private static func threadCount() -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }
  #endif
}

/// Asked by a function, since an asynchronous one may not ask for its thread.
private func isOnPoolThread() -> Bool { PoolThread.current != nil }
