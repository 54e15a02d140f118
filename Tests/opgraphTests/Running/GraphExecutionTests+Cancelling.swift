import StructuredOperations
import Testing
import TestSupport

@testable import opgraph

extension GraphExecutionTests {
  /// Notes the operations that are cancelled.
  private final class Cancellations: OperationObserver {
    let names = Locked<[String?]>([])

    func observe(_ event: OperationEvent) {
      if case .cancelled = event.kind { names.append(event.operation.name) }
    }
  }

  @Test("The failure that reaches the limit is not cancelled as well, nor is what still runs")
  func failureIsNotCancelled() async throws {
    let go = try Fifo(folder.path("go"))
    let cancellations = Cancellations()
    let execution = try await GraphExecution(
      Graph(nodes: [
        node("bad", "exit 1"), node("slow", "read line <go"), node("next", ":", after: ["slow"]),
      ]), options: RunOptions(width: 2, failureLimit: 1), loop: .ofTests)
    async let end: Void = execution.run(observer: cancellations)
    while let batch = await execution.events.nextBatch() {
      for case .ended("bad", _) in batch { go.writeLine() }
    }
    await end
    #expect(cancellations.names.current == ["next"])
  }

  @Test("Neither is a last attempt that cannot be started")
  func failedStartIsNotCancelled() async throws {
    try folder.makeFolder("sub")
    let cancellations = Cancellations()
    var bad = node("bad", "rmdir \"$PWD\"; exit 1")
    bad.directory = folder.path("sub")
    bad.retries = Graph.Retries(attempts: 2)
    let execution = try await GraphExecution(
      Graph(nodes: [bad]), options: RunOptions(width: 1, failureLimit: 1), loop: .ofTests)
    async let end: Void = execution.run(observer: cancellations)
    var attempts: [Int] = []
    while let batch = await execution.events.nextBatch() {
      for case .ended("bad", let result) in batch { attempts.append(result.attempts) }
    }
    await end
    #expect(attempts == [2])
    #expect(cancellations.names.current.isEmpty)
  }
}
