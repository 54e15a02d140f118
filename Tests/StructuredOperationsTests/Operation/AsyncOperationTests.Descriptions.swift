import TestSupport
import Testing

@testable import StructuredOperations

extension AsyncOperationTests {
  @Suite("Descriptions", .hangGuard)
  struct Descriptions {
    private struct Shout: Error, CustomStringConvertible {
      let description = "\u{1B}[2J\n"
    }

    @Test("The state, the cancellation and the kind of the outcome are told")
    func conditions() async throws {
      let gate = Gate()
      let operation = AsyncOperation(name: "late") { await gate.wait() }
      #expect("\(operation)" == #"AsyncOperation "late" (ready)"#)

      let dependency = AsyncOperation {}
      try await operation.addDependency(dependency)
      #expect("\(operation)" == #"AsyncOperation "late" (pending)"#)
      await operation.removeDependency(dependency)

      await AsyncOperationQueue().add(operation)
      for await snapshot in operation.states where snapshot.isExecuting { break }
      operation.cancel()
      #expect("\(operation)" == #"AsyncOperation "late" (executing, cancelled)"#)

      gate.open()
      await operation.waitUntilFinished()
      #expect("\(operation)" == #"AsyncOperation "late" (finished, cancelled, success)"#)
    }

    @Test("A name with line breaks takes one line of a log, and commands a terminal nothing")
    func oneLine() async throws {
      let name = "a\nERROR b\u{9B}\u{202E}"
      let operation = AsyncOperation(name: name) {}
      let queue = AsyncOperationQueue(name: name, isSuspended: true)
      await queue.add(operation)
      let error = OperationError.dependencyFailed(on: operation, underlying: Shout())
      let texts = [
        "\(operation)", operation.debugDescription, "\(queue)", queue.debugDescription,
        "\(ConcurrencyLimit(1, name: name))",
        "\(error)",
      ]
      for text in texts {
        #expect(text.contains("\"a␊ERROR b\u{FFFD}\u{FFFD}\""))
        #expect(!text.unicodeScalars.contains { $0 == "\n" || $0 == "\u{1B}" })
      }
      await queue.resume()
    }

    @Test("The kinds of outcomes")
    func outcomes() async throws {
      let good = AsyncOperation(name: "a") { 42 }
      let bad = AsyncOperation(name: "a") { throw Failure(code: 1) }
      let cancelled = AsyncOperation(name: "a") {}
      cancelled.cancel()
      for operation in [good, bad, cancelled] as [any OperationProtocol] { try await operation.start() }

      #expect("\(good)" == #"AsyncOperation "a" (finished, success)"#)
      #expect("\(bad)" == #"AsyncOperation "a" (finished, failure)"#)
      #expect("\(cancelled)" == #"AsyncOperation "a" (finished, cancelled)"#)
    }

    @Test("An operation without a name is told by where it was made")
    func unnamed() {
      let operation = AsyncOperation {}
      #expect("\(operation)" == "AsyncOperation at \(#fileID):\(#line - 1) (ready)")
      #expect(operation.name == nil)
    }

    @Test("debugPrint tells the priority, the queue, and the first dependencies, but not theirs")
    func debug() async throws {
      let dependencies = (1...21).map { number in AsyncOperation(name: "\(number)") {} }
      let operation = AsyncOperation(name: "sum", queuePriority: .high) {}
      try await dependencies[0].addDependency(AsyncOperation(name: "hidden") {})
      #expect(operation.debugDescription == #"AsyncOperation "sum" (ready), queuePriority high"#)

      for dependency in dependencies { try await operation.addDependency(dependency) }
      let queue = AsyncOperationQueue(name: "sums", isSuspended: true)
      await queue.add(operation)

      let start = #"AsyncOperation "sum" (pending), queuePriority high, in the queue "sums", after "#
      #expect(
        operation.debugDescription.hasPrefix(start + #"AsyncOperation "1" (pending), AsyncOperation "2" (ready)"#))
      #expect(operation.debugDescription.hasSuffix(#"AsyncOperation "20" (ready), … (1 more)"#))
      operation.cancel()
      await queue.resume()
      await operation.waitUntilFinished()
    }

    @Test("dump shows what can be asked, and nothing of the storage")
    func dumped() async throws {
      let operation = AsyncOperation(name: "sum") { 42 }
      try await operation.addDependency(AsyncOperation(name: "before") {})

      let labels = Mirror(reflecting: operation).children.map(\.label)
      #expect(labels == ["name", "snapshot", "queuePriority", "outcome", "dependencies"])
      var text = ""
      dump(operation, to: &text)
      #expect(text.contains("before"))
    }

    @Test("Why an operation did not succeed can be asked without its type")
    func errors() async throws {
      let good = AsyncOperation { 42 }
      let bad = AsyncOperation { throw Failure(code: 1) }
      let cancelled = AsyncOperation {}
      let operations: [any OperationProtocol] = [good, bad, cancelled]
      #expect(operations.allSatisfy { $0.error == nil })

      cancelled.cancel()
      for operation in operations { try await operation.start() }

      #expect(operations[0].error == nil)
      #expect(operations[1].error is Failure)
      #expect(operations[2].error is CancellationError)
    }

    @Test("The id is the identity")
    func id() {
      let operation: any OperationProtocol = AsyncOperation {}
      var counts: [ObjectIdentifier: Int] = [:]
      let id = operation.id
      counts[id] = 1
      #expect([operation].map(\.id) == [ObjectIdentifier(operation)] && counts[ObjectIdentifier(operation)] == 1)
    }
  }
}
