import Testing
import TestSupport

@testable import StructuredOperations

extension BarrierSemantics {
  @Test("QB-01 What one ahead of a barrier depends on passes it, and nothing else does", arguments: [1, 8])
  func passing(limit: Int) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: limit)
    let recorder = Recorder<String>()
    func operation(_ name: String) -> AsyncOperation<Void> { AsyncOperation(name: name) { recorder.note(name) } }
    let (ahead, between, needed, other) = (
      operation("ahead"), operation("between"), operation("needed"), operation("other")
    )
    try await ahead.addDependency(between)
    try await between.addDependency(needed)
    await queue.add(ahead)
    await queue.addBarrier { recorder.note("barrier") }
    await queue.add(other, needed, between)
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == ["needed", "between", "ahead", "barrier", "other"])
  }

  @Test("QB-01 It passes, too, where the dependency comes when it waits already, and past several barriers")
  func passingLate() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    let recorder = Recorder<String>()
    let blocker = Blocker()
    let ahead = AsyncOperation { recorder.note("ahead") }
    let needed = AsyncOperation { recorder.note("needed") }
    try await ahead.addDependency(blocker.operation)
    await queue.add(blocker.operation, ahead)
    await queue.addBarrier { recorder.note("first barrier") }
    await queue.addBarrier { recorder.note("second barrier") }
    await queue.add(needed)
    await blocker.begun.wait()
    #expect(queue.snapshot.executingCount == 1)
    try await ahead.addDependency(needed)
    blocker.release.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == ["needed", "ahead", "first barrier", "second barrier"])
  }

  @Test("QB-01 A body does not get past its barrier by waiting: a wait for what is behind it is refused")
  func waitAcross() async throws {
    let queue = AsyncOperationQueue(isSuspended: true)
    let recorder = Recorder<String>()
    let behind = AsyncOperation { recorder.note("behind") }
    let ahead = AsyncOperation {
      await #expect(throws: OperationError.waitWouldDeadlock) { try await behind.value }
      recorder.note("ahead")
    }
    await queue.add(ahead)
    await queue.addBarrier { recorder.note("barrier") }
    await queue.add(behind)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == ["ahead", "barrier", "behind"])
  }
}
