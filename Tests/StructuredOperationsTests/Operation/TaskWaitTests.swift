import TestSupport
import Testing

@testable import StructuredOperations

@Suite("TaskWait", .hangGuard)
struct TaskWaitTests {
  @Test("A wait of a child task is known as long as it lasts")
  func childTask() async throws {
    let (queue, gate) = (AsyncOperationQueue(), Gate())
    let awaited = AsyncOperation { await gate.wait() }
    let operation = await queue.add {
      async let wait: Void = awaited.waitUntilFinished()
      await wait
      return Self.waits(of: try #require(AsyncOperation.current))
    }
    #expect(await eventually { Self.waits(of: operation) == 1 })

    await queue.add(awaited)
    gate.open()

    #expect(try await operation.value == 0)
  }

  @Test("Outside of bodies, in a body's own task, and after a body's end there is none to know")
  func others() async throws {
    let (queue, missing) = (AsyncOperationQueue(), AsyncOperation {})
    #expect(TaskWait.begin(for: .operations([missing])) == nil)
    let operation = await queue.add { () -> Task<Bool, Never> in
      Task {
        await AsyncOperation.current?.waitUntilFinished()
        return TaskWait.begin(for: .operations([missing])) == nil
      }
    }
    #expect(try await operation.value.value)
    let waiter = await queue.add { await missing.waitUntilFinished() }
    #expect(await eventually { waiter.storage.read { $0.wait != nil } })
    #expect(Self.waits(of: waiter) == 0)
    await queue.add(missing)
    await waiter.waitUntilFinished()
  }

  private static func waits(of operation: any OperationProtocol) -> Int {
    operation.storage.read { $0.connections.read { $0.rare.read(\.taskWaits.count) ?? 0 } ?? 0 }
  }
}
