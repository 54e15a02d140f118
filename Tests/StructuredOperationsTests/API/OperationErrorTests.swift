import Testing

@testable import StructuredOperations

@Suite("OperationError")
struct OperationErrorTests {
  private struct Flood: Error, CustomStringConvertible {
    let description = "the cellar is full of water"
  }

  private static func operations(_ names: [String?]) -> [any OperationProtocol] {
    names.map { name in AsyncOperation(name: name) {} }
  }

  /// Every case without operations, and what its description has to say.
  private static let plainErrors: [(error: OperationError, words: String)] = [
    (.notReady, "not ready"), (.alreadyExecuting, "executes already"), (.alreadyEnqueued, "in a queue already"),
    (.alreadyFinished, "has finished"), (.dependencyOnSelf, "itself"), (.abandoned, "dropped"),
    (.blocksSealed, "blocks"),
    (.invalidMaxConcurrentOperationCount(-1), "-1 is no limit for the main queue: expected 1"),
    (.invalidMaxConcurrentOperationCount(2), "2 is no limit for the main queue: expected 1"),
    (.invalidMaxConcurrentOperationCount(-2), "-2"), (.invalidMaxConcurrentOperationCount(-3), "-3"),
    (.waitWouldDeadlock, "never end"), (.queueClosed, "queue is closed"),
    (.timedOut(.seconds(5)), "within 5.0 seconds"), (.timedOut(.milliseconds(5)), "within 0.005 seconds"),
  ]

  @Test("A description says what is wrong in a sentence of its own", arguments: plainErrors)
  func descriptions(error: OperationError, words: String) {
    #expect(error.description.contains(words))
    #expect(error.description.hasSuffix("."))
    #expect(Self.plainErrors.filter { $0.error.description == error.description }.count == 1)
  }

  @Test("An error is equal to itself and to no other")
  func equality() {
    let operations = Self.operations(["a", "b", "a"])
    let errors =
      Self.plainErrors.map(\.error) + [
        .dependencyCycle([operations[0], operations[1]]), .dependencyCycle([operations[1], operations[0]]),
        .dependencyCycle([operations[2], operations[1]]), .dependencyCycle([operations[0]]), .dependencyCycle([]),
        .dependencyFailed(on: operations[0], underlying: Flood()),
        .dependencyFailed(on: operations[2], underlying: Flood()),
      ]

    for (index, one) in errors.enumerated() {
      for (otherIndex, other) in errors.enumerated() {
        #expect((one == other) == (index == otherIndex), "\(one) and \(other)")
      }
    }
  }

  @Test("What was thrown below does not count for equality")
  func underlying() {
    let operation = AsyncOperation {}

    #expect(
      OperationError.dependencyFailed(on: operation, underlying: Flood())
        == .dependencyFailed(on: operation, underlying: CancellationError()))
  }

  @Test("A loop is told by the names along it, the first one again at its end")
  func loop() {
    let unnamed = AsyncOperation(file: "App/main.swift", line: 7) {}
    let named = Self.operations(["fetch", "parse"])
    let error = OperationError.dependencyCycle([named[0], unnamed, named[1]])

    #expect(
      error.description
        == """
        The dependency would close a loop: "fetch" -> AsyncOperation at App/main.swift:7 -> "parse" -> "fetch".
        """)
  }

  @Test(
    "A loop of more than 20 operations is shortened in the middle",
    arguments: [(20, nil), (21, "… (1 more)"), (5_000, "… (4980 more)")] as [(Int, String?)])
  func longLoop(length: Int, ellipsis: String?) {
    let error = OperationError.dependencyCycle(Self.operations((1...length).map { "\($0)" }))

    let names = (1...20).map { "\"\($0)\"" } + [ellipsis, "\"1\""].compactMap(\.self)
    #expect(error.description == "The dependency would close a loop: \(names.joined(separator: " -> ")).")
  }

  @Test("A failed dependency is told by its name and by what it threw", arguments: ["fetch", nil])
  func failedDependency(name: String?) {
    let operation = AsyncOperation(name: name, file: "App/main.swift", line: 7) {}
    let error = OperationError.dependencyFailed(on: operation, underlying: Flood())

    #expect(error.description.contains(name.map { "\"\($0)\"" } ?? "AsyncOperation at App/main.swift:7"))
    #expect(error.description.contains("the cellar is full of water"))
  }
}
