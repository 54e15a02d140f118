import StructuredOperations
import StructuredOperationsInsight
import StructuredOperationsTesting
import TestSupport
import Testing

import class StructuredOperationsTesting.Gate

@Suite("OperationJournal", .timeLimit(.minutes(15)), .hangGuard)
struct OperationJournalTests {
  private let clock = VirtualClock()

  @Test("Spans have the times of the clock, since the journal was made")
  func times() async throws {
    clock.advance(by: .seconds(100))
    let journal = OperationJournal(clock: clock)
    let queue = AsyncOperationQueue(name: "images", maxConcurrentOperationCount: 1, observer: journal)
    let (begun, gate) = (Gate(), Gate())
    let first = await queue.add(name: "first") {
      begun.open()
      await gate.wait()
    }
    let second = AsyncOperation(name: "second", queuePriority: .high) {}
    try await second.addDependency(first)
    await queue.add(second)
    await begun.wait()
    clock.advance(by: .seconds(3))
    gate.open()
    await second.waitUntilFinished()

    let history = journal.history
    #expect(history.operations.map(\.name) == ["first", "second"])
    #expect(history.operations.allSatisfy { $0.queue == "images" && $0.outcome == .succeeded })
    #expect(history.operations[0].spans.map(\.duration) == [.seconds(3)])
    #expect(history.operations[1].spans.map(\.kind) == [.blocked, .executing])
    #expect(history.operations[1].spans.first?.cause == history.operations[0].id)
    #expect(history.operations[1].dependencies == [history.operations[0].id])
    #expect(history.duration == .seconds(3))
  }

  @Test("Times of 292 years and more are cut off, and can be exported")
  func farFuture() async {
    let journal = OperationJournal(clock: clock)
    let queue = AsyncOperationQueue(observer: journal)
    let operation = await queue.add { clock.advance(by: .seconds(Int64.max)) }
    await operation.waitUntilFinished()
    clock.advance(by: .seconds(Int64.max))
    await queue.add {}.waitUntilFinished()

    let history = journal.history
    let end = Duration.nanoseconds(Int64.max)
    #expect(history.time == end && history.operations.map(\.addedAt) == [.zero, end])
    #expect(history.operations.map { $0.duration(.executing) } == [end, .zero])
    #expect(history.summary.contains("9223372036 s") && history.chromeTrace().contains("9223372036854775.807"))
  }

  @Test("One without a name is told by where it was made, without its state")
  func unnamed() async {
    let journal = OperationJournal()
    let queue = AsyncOperationQueue(observer: journal)
    await queue.add {}.waitUntilFinished()
    let name = journal.history.operations.first?.name ?? ""
    #expect(name.wholeMatch(of: /AsyncOperation at .*OperationJournalTests\.swift:\d+/) != nil, "\(name)")
  }

  @Test("Of the words of an error 1 000 characters are kept, which may be those of many operations")
  func longError() async throws {
    struct Long: Error, CustomStringConvertible {
      let description = String(repeating: "x", count: 50_000)
    }
    let journal = OperationJournal()
    let queue = AsyncOperationQueue(observer: journal)
    let failed = AsyncOperation(name: "failed") { throw Long() }
    let dependent = AsyncOperation(name: "dependent") {}
    try await dependent.addDependency(failed, requiring: .success)
    await queue.add(failed, dependent)
    await queue.waitUntilAllOperationsAreFinished()

    let start = #"The operation did not run because "failed" did not succeed: "#
    let words = ["", start].map { $0 + String(repeating: "x", count: 999 - $0.count) + "…" }
    #expect(journal.history.operations.map(\.outcome) == words.map { .failed($0) })
  }

  @Test("One that is started by hand is noted from its start on, in no queue")
  func byHand() async throws {
    let journal = OperationJournal()
    let operation = AsyncOperation(name: "by hand", observer: journal) {}
    #expect(journal.history.operations.isEmpty)
    try await operation.start()
    let entry = try #require(journal.history.operations.first)
    #expect(entry.name == "by hand" && entry.queue == nil && entry.outcome == .succeeded)
    #expect(entry.spans.map(\.kind) == [.executing] && entry.spans.map(\.slot) == [1])
  }

  @Test("A body that throws CancellationError without having been cancelled has failed")
  func outcomes() async {
    let journal = OperationJournal()
    let queue = AsyncOperationQueue(isSuspended: true, observer: journal)
    let thrown = AsyncOperation<Void> { throw CancellationError() }
    let cancelled = AsyncOperation {}
    await queue.add(thrown, cancelled)
    cancelled.cancel()
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(journal.history.operations.map(\.outcome) == [.failed("CancellationError()"), .cancelled])
    #expect(journal.history.operations.map(\.isCancelled) == [false, true])
  }

  @Test(
    "An operation is in the history by the time that somebody knows of its end, whoever notes it", arguments: 0..<10)
  func storm(round: Int) async {
    let journal = OperationJournal(capacity: .max)
    let queues = (0..<3).map { AsyncOperationQueue(maxConcurrentOperationCount: $0 + 1, observer: journal) }
    await withTaskGroup { group in
      for number in 0..<16 {
        group.addTask {
          for _ in 0..<100 {
            let operation = AsyncOperation(name: "\(number)") {}
            await queues[number % 3].add(operation)
            await operation.waitUntilFinished()
          }
          let own = journal.history.operations.filter { $0.name == "\(number)" }
          #expect(own.count == 100)
          #expect(own.allSatisfy { $0.outcome == .succeeded })
        }
      }
    }
    let history = journal.history
    #expect(history.operations.count == 1_600)
    for (width, queue) in queues.enumerated() {
      let spans = history.operations.lazy.filter { $0.queue == queue.name }.flatMap(\.spans)
      #expect(spans.compactMap(\.slot).allSatisfy { (1...width + 1).contains($0) })
    }
  }

  @Test("No operation is kept alive")
  func lifetimes() async {
    let journal = OperationJournal()
    weak var operation: AsyncOperation<Void>?
    do {
      let queue = AsyncOperationQueue(observer: journal)
      let added = await queue.add {}
      operation = added
      await added.waitUntilFinished()
    }
    #expect(await eventually { operation == nil })
    #expect(journal.history.operations.count == 1)
  }

  @Test("A negative capacity is a programming error")
  func negativeCapacity() async {
    await #expect(processExitsWith: .failure) { _ = OperationJournal(capacity: -1) }
  }
}
