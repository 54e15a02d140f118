import Testing
import TestSupport

@testable import StructuredOperations

@Suite("IO Results", .hangGuard)
struct OutputSemantics {
  @Test("IO-01 There is no result before the finish")
  func before() async throws {
    let release = Gate()
    let begun = Gate()
    let operation = AsyncOperation {
      begun.open()
      await release.wait()
      return 1
    }
    #expect(operation.outcome == nil)
    await AsyncOperationQueue().add(operation)
    await begun.wait()
    #expect(operation.outcome == nil)
    release.open()
    await operation.waitUntilFinished()
    #expect(operation.outcome != nil)
  }

  @Test("IO-02 What a body throws is not thrown by start(), and by every reading of the value")
  func failure() async throws {
    let operation = AsyncOperation<Int> { throw Failure(code: 3) }
    try await operation.start()
    #expect(operation.outcome?.error as? Failure == Failure(code: 3))
    for _ in 0..<2 { await #expect(throws: Failure(code: 3)) { try await operation.value } }
  }

  @Test("IO-03 The value of a cancelled operation is an error, but one that was produced all the same is there")
  func cancelled() async throws {
    let (unrun, ran) = (
      AsyncOperation { 1 },
      AsyncOperation {
        AsyncOperation.current?.cancel()
        return 2
      }
    )
    unrun.cancel()
    await AsyncOperationQueue().addAndWait([unrun, ran])
    await #expect(throws: CancellationError.self) { try await unrun.value }
    #expect(unrun.outcome?.isCancelled == true)
    #expect(ran.isCancelled)
    #expect(try await ran.value == 2)
  }

  @Test("IO-04 An operation without a result succeeds with nothing, before which there is nothing, either")
  func void() async throws {
    let operation = AsyncOperation {}
    #expect(operation.outcome == nil)
    try await operation.start()
    #expect(operation.outcome?.isSuccess == true)
    try await operation.value
  }

  @Test("IO-05 Results come back with their own types")
  func typed() async throws {
    struct Point: Equatable, Sendable { var x = 1.5, y = -2 }
    let (number, flag, point) = (AsyncOperation { 7 }, AsyncOperation { true }, AsyncOperation { Point() })
    await AsyncOperationQueue().addAndWait([number, flag, point])
    let (a, b, c): (Int, Bool, Point) = try await (number.value, flag.value, point.value)
    #expect(a == 7 && b && c == Point())
  }

  @Test("IO-08 Reading the value waits for it, however many read")
  func awaited() async throws {
    let operation = AsyncOperation { 5 }
    let readers = (0..<100).map { _ in Task { try await operation.value } }
    await AsyncOperationQueue().add(operation)
    for reader in readers { #expect(try await reader.value == 5) }
  }
}
