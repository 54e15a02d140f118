import Testing

@testable import StructuredOperations

/// Sentences for graphs that are made by hand.
@Suite("The words of explanations")
struct ExplanationWordsTests {
  typealias Reason = OperationExplanation.Reason

  private let queue = AsyncOperationQueue(name: "disk")

  /// The sentence about the first of some operations.
  private func sentence(
    _ operations: [(operation: AsyncOperation<Void>, reasons: [Reason])],
    isCancelled: Bool = false,
    hasLentSlot: Bool = false,
    remainingSuspension: Duration? = nil,
    limits: [ExplainedOperation.LimitStanding] = [],
    contents: [ObjectIdentifier: ExplanationGraph.Contents] = [:],
    at time: ContinuousClock.Instant = .now
  ) -> String {
    let explained = operations.map {
      ExplainedOperation(
        operation: $0.operation, reasons: $0.reasons, isCancelled: isCancelled, hasLentSlot: hasLentSlot,
        remainingSuspension: remainingSuspension, limits: limits)
    }
    return OperationExplanation(0, in: ExplanationGraph(explained, contents: contents, at: time)).description
  }

  private func operation(_ name: String?) -> AsyncOperation<Void> { AsyncOperation(name: name) {} }

  @Test(
    "For how long something executes is told in a unit that fits",
    arguments: [
      (Duration.milliseconds(60), "60 ms"), (.milliseconds(1_290), "1.2 s"), (.seconds(75), "75 s"),
      (.seconds(660), "11 min"),
    ])
  func duration(duration: Duration, words: String) {
    let (start, busy) = (ContinuousClock.now, operation("busy"))
    let text = sentence([(busy, [.executing(since: start), .callback])], at: start + duration)
    #expect(text == "\"busy\" has been executing for \(words), and waits for its completion to be called.")
  }

  @Test("An operation without a name is told by where it was made")
  func unnamed() {
    let (line, nameless) = (#line, AsyncOperation {})
    #expect(
      sentence([(nameless, [.notAdded])])
        == "AsyncOperation at StructuredOperationsTests/ExplanationWordsTests.swift:\(line) is in no queue and has not been started."
    )
  }

  @Test("Several reasons are told together; the one that leads on comes last")
  func several() {
    let (page, login) = (operation("page"), operation("login"))
    #expect(
      sentence([(page, [.dependency(login), .suspended(queue)]), (login, [.notAdded])]) == """
        "page" is in the queue "disk", which is suspended, and waits for "login"; "login" is in no queue and has not been \
        started.
        """)
  }

  @Test("How long a queue stays suspended, where it resumes by itself")
  func timedSuspension() {
    let text = sentence([(operation("page"), [.suspended(queue)])], remainingSuspension: .seconds(98))
    #expect(text == "\"page\" is in the queue \"disk\", which is suspended for another 98 s.")
  }

  @Test("A body that waits for something that nobody knows has lent its slot, or keeps it", arguments: [true, false])
  func lentSlot(isLent: Bool) {
    let text = sentence([(operation("page"), [.executing(since: nil)])], hasLentSlot: isLent)
    #expect(text == "\"page\" is executing: its body has not returned\(isLent ? ", and has lent its slot" : "").")
  }

  @Test("Of several root causes one is told in full, and the others by name")
  func roots() {
    let (last, roots) = (operation("last"), (1...6).map { operation("root \($0)") })
    let explained = [(last, roots.map { Reason.dependency($0) })] + roots.map { ($0, [Reason.notAdded]) }
    #expect(
      sentence(explained) == """
        "last" waits for 6 operations, among them "root 1"; "root 1" is in no queue and has not been started. There are \
        other root causes: "root 2", "root 3", "root 4" and 2 more.
        """)
    #expect(
      sentence(Array(explained.prefix(1)).map { ($0.0, Array($0.1.prefix(2))) } + explained.dropFirst())
        .hasSuffix("There is another root cause: \"root 2\"."))
  }

  @Test("What waits for one that has finished since is told as it was")
  func finishedSince() {
    let (last, first) = (operation("last"), operation("first"))
    #expect(sentence([(last, [.dependency(first)])]) == "\"last\" waits for \"first\".")
  }

  @Test("Several slots, and one of those who have them")
  func slots() {
    let (save, one, two) = (operation("save"), operation("one"), operation("two"))
    #expect(
      sentence([
        (save, [.noSlot(queue, place: 3, holders: [one, two])]), (one, [.executing(since: nil)]),
        (two, [.executing(since: nil)]),
      ]) == """
        "save" is number 3 in line for a slot of the queue "disk", whose 2 slots are taken, one by "one"; "one" is executing: \
        its body has not returned. There is another root cause: "two".
        """)
  }

  @Test(
    "Where one of two slots may become free there is no loop; where neither can, there is", arguments: [true, false])
  func slotLoop(mayBecomeFree: Bool) {
    let (save, one, two) = (operation("save"), operation("one"), operation("two"))
    let waits: [Reason] = [.executing(since: nil), .waiting(for: [save], isSlotLent: false)]
    let text = sentence([
      (save, [.noSlot(queue, place: 1, holders: [one, two])]), (one, waits),
      (two, mayBecomeFree ? [.executing(since: nil)] : waits),
    ])
    #expect(text.contains("wait for each other") != mayBecomeFree)
    #expect(text.contains("\"two\" is executing: its body has not returned.") == mayBecomeFree)
  }

  @Test("A limit without room for anybody, one that is too low, and one that is kept for another")
  func limits() {
    let (limit, page, other) = (ConcurrencyLimit(0, name: "connections"), operation("page"), operation("other"))
    func text(_ count: Int, _ cost: Int) -> String {
      sentence(
        [(page, [.concurrencyLimit(limit, holders: [])])],
        limits: [ExplainedOperation.LimitStanding(count: count, cost: cost, isKept: false)])
    }
    #expect(text(0, 1) == "\"page\" waits for the concurrency limit \"connections\", whose count is 0.")
    #expect(
      text(2, 3) == "\"page\" waits for the concurrency limit \"connections\", whose count of 2 is below its cost of 3."
    )
    #expect(
      sentence(
        [(page, [.concurrencyLimit(limit, holders: [other])]), (other, [.executing(since: nil)])],
        limits: [ExplainedOperation.LimitStanding(count: 2, cost: 1, isKept: true)]) == """
          "page" is in line for the concurrency limit "connections" behind "other"; "other" is executing: its body has not \
          returned.
          """)
  }

  @Test("What leaves unrun, and why", arguments: [true, false])
  func leaving(isCancelled: Bool) {
    let skipped = operation("skipped")
    let why = isCancelled ? "it was cancelled" : "a dependency did not succeed"
    #expect(
      sentence([(skipped, [.leaving, .suspended(queue)])], isCancelled: isCancelled)
        == "\"skipped\" will leave unrun, since \(why), and is in the queue \"disk\", which is suspended.")
  }

  @Test("One that waits for itself")
  func itself() {
    let own = operation("own")
    #expect(
      sentence([(own, [.executing(since: nil), .waiting(for: [own], isSlotLent: false)])])
        == "\"own\" waits for itself: \"own\" is executing, and waits, without lending a slot, for \"own\".")
  }

  @Test(
    "Where a body waits for a queue in which only completion blocks are left, it is told whose they are",
    arguments: [
      (0, ""), (1, ", where the completion block of \"0\" has not ended"),
      (2, ", where 2 completion blocks have not ended, among them that of \"0\""),
    ])
  func completionBlocks(count: Int, words: String) {
    let contents = ExplanationGraph.Contents(
      operations: [], completionBlocks: (0..<count).map { operation("\($0)") })
    let reasons: [Reason] = [.executing(since: nil), .waitingForQueue(queue, isSlotLent: true)]
    #expect(
      sentence([(operation("owner"), reasons)], contents: [ObjectIdentifier(queue): contents])
        == "\"owner\" is executing, and waits, with its slot lent, for everything in the queue \"disk\"\(words).")
  }

  @Test("A loop of many is told by names alone")
  func longLoop() {
    let operations = (0..<12).map { operation("\($0)") }
    let explained = operations.indices.map { (operations[$0], [Reason.dependency(operations[($0 + 1) % 12])]) }
    #expect(
      sentence(explained) == """
        "0" is in a loop of 12 operations, each of which waits for the next: "0" -> "1" -> "2" -> "3" -> "4" -> "5" -> "6" -> \
        "7" -> … (4 more) -> "0".
        """)
  }

  @Test(
    "A limit whose holders had gone when their queues were asked is told without them",
    arguments: [false, true])
  func holdersGone(isKept: Bool) {
    let limit = ConcurrencyLimit(2, name: "disk")
    let standing = ExplainedOperation.LimitStanding(count: 2, cost: 1, isKept: isKept)
    let text = sentence([(operation("waiting"), [.concurrencyLimit(limit, holders: [])])], limits: [standing])
    #expect(text == "\"waiting\" waits for the concurrency limit \"disk\".")
  }

  @Test("Whoever has another limit is the root, and not the operation itself, unless a count is below its cost")
  func oneOfTwoLimits() {
    let (last, waiting, holder) = (operation("last"), operation("waiting"), operation("holder"))
    let (first, second) = (ConcurrencyLimit(1, name: "first"), ConcurrencyLimit(1, name: "second"))
    func roots(cost: Int) -> [String?] {
      let limits = [cost, 1].map { ExplainedOperation.LimitStanding(count: 1, cost: $0, isKept: false) }
      let reasons: [Reason] = [.concurrencyLimit(first, holders: []), .concurrencyLimit(second, holders: [holder])]
      let graph = ExplanationGraph([
        ExplainedOperation(operation: last, reasons: [.dependency(waiting)]),
        ExplainedOperation(operation: waiting, reasons: reasons, limits: limits),
        ExplainedOperation(operation: holder, reasons: [.executing(since: nil)]),
      ])
      return OperationExplanation(0, in: graph).rootCauses.map(\.name)
    }
    #expect(roots(cost: 1) == ["holder"])
    #expect(Set(roots(cost: 2)) == ["waiting", "holder"])
  }

  @Test("A queue tells at most 20 lines after its header")
  func lines() {
    let operations = (0..<21).map { operation("\($0)") }
    let graph = ExplanationGraph(operations.map { ExplainedOperation(operation: $0, reasons: [.notAdded]) })
    let all = QueueExplanation("header", Array(0..<21), in: graph).description.split(separator: "\n")
    #expect(all.count == 21)
    #expect(all.first == "header:" && all.last == "  … and 2 more operations.")
    #expect(QueueExplanation("header", Array(0..<20), in: graph).description.split(separator: "\n").count == 21)
    #expect(QueueExplanation("header", [], in: graph).description == "header: nothing is in it.")
  }
}

extension ExplanationGraph {
  /// - Parameter operations: Each once; one that a reason names and that is none of these counts as finished.
  fileprivate convenience init(
    _ operations: [ExplainedOperation],
    contents: [ObjectIdentifier: Contents] = [:],
    at time: ContinuousClock.Instant = .now
  ) {
    var builder = ExplanationGraphBuilder()
    builder.contents = contents
    for explained in operations { builder.number(explained.operation) }
    for explained in operations { builder.explain(explained) }
    while let next = builder.next { builder.explain(ExplainedOperation(operation: next, reasons: [])) }
    self.init(builder, at: time)
  }
}
