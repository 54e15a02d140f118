import Foundation
import Testing
import TestSupport

@testable import StructuredOperations

extension OperationWaitSemantics.Donation {
  @Test("WT-07 the priority goes through any number of bodies that await one another, without recursion")
  func throughManyBodies() async throws {
    guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 4)
    let last = AsyncOperation { 0 }
    var first = last
    var bodies: [AsyncOperation<Int>] = []
    for _ in 0..<2_000 {
      let next = first
      first = AsyncOperation { try await next.value + 1 }
      bodies.append(first)
    }
    await queue.add(bodies)
    #expect(await queue.hasWaitingBodies(bodies.count))

    let isRaised = Gate()
    let thread = Thread { [first] in
      OperationStorage.escalate([first.storage], to: .high)
      isRaised.open()
    }
    // With recursion each body took 800 bytes and more.
    thread.stackSize = 256 << 10
    thread.start()
    await isRaised.wait()
    #expect(last.storage.read { $0.escalatedPriority } == TaskPriority.high.rawValue)

    await queue.add(last)
    #expect(try await first.value == bodies.count)
  }

  @Test("WT-07 what the child tasks of a body await is raised in the order in which they wait")
  func children() async {
    guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
    let recorder = Recorder<Int>()
    let parts = (0..<5).map { number in AsyncOperation { recorder.note(number) } }
    await queue.add([AsyncOperation { recorder.note(-1) }] + parts)
    let whole = await AsyncOperationQueue().add {
      await withDiscardingTaskGroup { group in
        for part in parts {
          group.addTask { await part.waitUntilFinished() }
          await eventuallyAwaited(part)
        }
      }
    }
    await eventuallyAwaited(parts[4])

    OperationStorage.escalate([whole.storage], to: .high)
    await queue.resume()

    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == [0, 1, 2, 3, 4, -1])
  }

  // The first body awaits the second one. While the priority is handed on to that, another thread cancels the task of the first, whose
  // lock the runtime must not hold then.
  @Test("WT-07 a body that is raised is not held while the priority goes on from there")
  func bodiesApart() async throws {
    guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
    let queue = AsyncOperationQueue()
    let (isRunning, isCancelled, mayEnd) = (Gate(), Gate(), Gate())
    let first = Locked<AsyncOperation<Void>?>(nil)
    let second = AsyncOperation {
      await withTaskPriorityEscalationHandler {
        isRunning.open()
        await mayEnd.wait()
      } onPriorityEscalated: { _, _ in
        Thread.detachNewThread { first.current?.cancel() }
        isCancelled.waitBlocking()
      }
    }
    let body = AsyncOperation {
      await withTaskCancellationHandler {
        _ = try? await second.value
      } onCancel: {
        isCancelled.open()
      }
    }
    first.withLock { $0 = body }
    await queue.add(second, body)
    await isRunning.wait()
    #expect(await queue.hasWaitingBodies(1))

    Thread.detachNewThread { OperationStorage.escalate([body.storage], to: .high) }

    await body.waitUntilFinished()
    #expect(body.isCancelled)
    mayEnd.open()
    await second.waitUntilFinished()
    first.withLock { $0 = nil }
  }
}

private func eventuallyAwaited(_ operation: AsyncOperation<Void>) async {
  #expect(await eventually { operation.storage.read { !$0.connections.value.waiters.isEmpty } })
}
