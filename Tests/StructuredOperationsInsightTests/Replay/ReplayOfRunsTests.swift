import StructuredOperations
import StructuredOperationsInsight
import StructuredOperationsTesting
import Testing

@Suite("Replays of what has run")
struct ReplayOfRunsTests {
  enum Form: CaseIterable { case scope, queue, scopeWithoutWait }

  /// A body has eight parts of 100 ms run in a queue of its own or of others, and works for 10 ms.
  private func history(_ form: Form, width: Int) throws -> OperationHistory {
    let clock = VirtualClock()
    let executor = SeededExecutor(seed: 1, clock: clock)
    let journal = OperationJournal(clock: clock)
    try executor.run {
      let requests = AsyncOperationQueue(name: "requests", executor: executor, clock: clock, observer: journal)
      let shared = AsyncOperationQueue(
        maxConcurrentOperationCount: width, executor: executor, clock: clock, observer: journal)
      let request = AsyncOperation(name: "request") { () async throws -> Void in
        switch form {
        case .queue:
          for _ in 0..<8 { await shared.add { try await clock.sleep(for: .milliseconds(100)) } }
          await shared.waitUntilAllOperationsAreFinished()
        case .scope, .scopeWithoutWait:
          try await withOperationQueue(
            maxConcurrentOperationCount: width, executor: executor, clock: clock, observer: journal
          ) { queue in
            for _ in 0..<8 { await queue.add { try await clock.sleep(for: .milliseconds(100)) } }
            if form == .scope { await queue.waitUntilAllOperationsAreFinished() }
          }
        }
        try await clock.sleep(for: .milliseconds(10))
      }
      await requests.add(request)
      try await request.value
    }
    return journal.history
  }

  @Test("What a body waits for in a scope or a queue has other limits, too", arguments: Form.allCases, [1, 2, 8])
  func nested(form: Form, recordedWidth: Int) throws {
    let history = try history(form, width: recordedWidth)
    let durations = [1, 2, 8, .max].map { history.duration(atWidth: $0) }
    #expect(durations == [.milliseconds(810), .milliseconds(410), .milliseconds(110), .milliseconds(110)])
    #expect(history.criticalPath.count == 2 && history.criticalPath.first?.name == "request")
  }

  // MARK: Random programs

  /// A body that works, waits for parts in a queue of its own or in a scope, and works again.
  private struct Part: Sendable {
    let before: Duration
    let after: Duration
    let parts: [Part]
    let hasScope: Bool

    static func random(_ generator: inout SeededGenerator, depth: Int) -> Part {
      let parts =
        depth == 0
        ? []
        : (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          random(&generator, depth: depth - 1)
        }
      // At different times, since the order of what happens at one is the executor's choice.
      return Part(
        before: .nanoseconds(Int.random(in: 1...1_000_000_000, using: &generator)),
        after: .nanoseconds(Int.random(in: 1...1_000_000_000, using: &generator)), parts: parts,
        hasScope: Bool.random(using: &generator))
    }
  }

  /// What parts run with: all queues have the same width.
  private struct Surroundings: Sendable {
    let clock = VirtualClock()
    let executor: SeededExecutor
    let journal: OperationJournal
    let width: Int

    init(width: Int) {
      self.width = width
      executor = SeededExecutor(seed: 1, clock: clock)
      journal = OperationJournal(clock: clock)
    }

    func makeQueue() -> AsyncOperationQueue {
      AsyncOperationQueue(maxConcurrentOperationCount: width, executor: executor, clock: clock, observer: journal)
    }

    func add(_ parts: [Part], to queue: AsyncOperationQueue) async {
      for part in parts { await queue.add(AsyncOperation { try await run(part) }) }
    }

    private func run(_ part: Part) async throws {
      try await clock.sleep(for: part.before)
      if part.parts.isEmpty {
        // Nor does it wait.
      } else if part.hasScope {
        try await withOperationQueue(
          maxConcurrentOperationCount: width, executor: executor, clock: clock, observer: journal
        ) { await add(part.parts, to: $0) }
      } else {
        let queue = makeQueue()
        await add(part.parts, to: queue)
        await queue.waitUntilAllOperationsAreFinished()
      }
      try await clock.sleep(for: part.after)
    }
  }

  @Test(
    "Recorded at any width, programs of nested scopes and queues take in a replay as long as they do", arguments: 0..<20
  )
  func nestedPrograms(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let parts = (0..<Int.random(in: 1...6, using: &generator)).map { _ in Part.random(&generator, depth: 2) }
    let widths = [1, 2, 3, 100]
    let histories = try widths.map { width in
      let surroundings = Surroundings(width: width)
      try surroundings.executor.run {
        let queue = surroundings.makeQueue()
        await surroundings.add(parts, to: queue)
        await queue.waitUntilAllOperationsAreFinished()
      }
      return surroundings.journal.history
    }
    let durations = histories.map(\.duration)
    for history in histories { #expect(widths.map { history.duration(atWidth: $0) } == durations) }
  }
}
