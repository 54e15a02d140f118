import TestSupport
import Testing

@testable import StructuredOperationsInsight

extension JournalStateMachineTests {
  enum Unknown: CaseIterable { case dependency, awaitedOperation, awaitedQueue }

  @Test(
    "Of finished operations the first to finish is forgotten first, and what is forgotten is counted",
    arguments: [0, 1, 3])
  func capacity(count: Int) {
    var recording = Recording(capacity: count)
    let tokens = (0..<5).map { _ in Token() }
    for (number, token) in tokens.enumerated() { recording.add(token, "\(number)") }
    for token in tokens { recording.start(token) }
    for number in [4, 0, 3, 1, 2] { recording.finish(tokens[number]) }
    #expect(recording.history.operations.map(\.name) == ["3", "1", "2"].suffix(count).sorted())
    #expect(recording.history.forgottenCount == 5 - count)
  }

  @Test("Unfinished operations stay, and count")
  func unfinishedStay() {
    var recording = Recording(capacity: 3)
    let (first, second) = (Token(), Token())
    recording.add(first, "first")
    recording.add(second, "second")
    for number in 0..<100 { recording.run(Token(), "\(number)") }
    #expect(recording.history.operations.map(\.name) == ["first", "second", "99"])
    let late = (0..<5).map { _ in Token() }
    for token in late { recording.add(token, "late") }
    #expect(recording.history.operations.count == 7)
    #expect(recording.history.forgottenCount == 100)
  }

  @Test("Nothing is kept alive")
  func lifetimes() {
    var recording = Recording()
    weak var operation: Token?
    weak var queue: Token?
    do {
      let (token, itsQueue) = (Token(), Token())
      (operation, queue) = (token, itsQueue)
      recording.run(token, in: itsQueue)
    }
    #expect(operation == nil && queue == nil)
    #expect(recording.history.operations.count == 1)
  }

  @Test("Links to what was forgotten are left out: dependencies, causes, the operation that added it")
  func forgottenLinks() {
    var recording = Recording(capacity: 1)
    let (parent, dependency, child) = (Token(), Token(), Token())
    recording.add(parent)
    recording.start(parent)
    recording.add(dependency)
    recording.add(child, after: [dependency], by: parent)
    recording.start(dependency)
    recording.wait(1)
    recording.finish(dependency)
    recording.ready(child, after: dependency)
    recording.start(child, after: [dependency])
    recording.finish(parent)
    recording.finish(child)
    let entry = recording.history.operations[0]
    #expect(entry.dependencies == [] && entry.parent == nil && entry.spans.allSatisfy { $0.cause == nil })
  }

  @Test("So they are where they were known when the operation finished")
  func linksForgottenLater() {
    var recording = Recording(capacity: 2)
    let (dependency, dependent) = (Token(), Token())
    recording.add(dependency)
    recording.add(dependent, after: [dependency])
    recording.start(dependency)
    recording.wait(1)
    recording.finish(dependency)
    recording.ready(dependent, after: dependency)
    recording.start(dependent, after: [dependency])
    recording.finish(dependent)
    var entry = recording.history.operations[1]
    #expect(entry.dependencies == [1] && entry.spans.contains { $0.cause == 1 })

    recording.run(Token())

    entry = recording.history.operations[0]
    #expect(entry.id == 2 && entry.dependencies == [] && entry.spans.allSatisfy { $0.cause == nil })
  }

  @Test("Addresses that are used again are other operations and other queues")
  func reusedAddresses() {
    var recording = Recording(capacity: 100_000)
    for number in 0..<2_000 { recording.run(Token(), "\(number)", in: Token(), named: "\(number)") }
    let history = recording.history
    #expect(history.operations.map(\.name) == (0..<2_000).map { "\($0)" })
    #expect(Set(history.operations.map(\.queueNumber)).count == 2_000)
    // An operation that is not known is not taken for the one that had its address before. Unfinished ones live.
    let dependents = (0..<100).map { _ in Token() }
    for dependent in dependents {
      recording.add(dependent, after: [Token()])
      #expect(recording.history.operations.last?.dependencies == [])
    }
  }

  @Test("No other object gets the address of a finished operation that is known, or of its queue, once they are freed")
  func keptAddresses() {
    var recording = Recording()
    let addresses = {
      let (token, queue) = (Token(), Token())
      recording.run(token, in: queue)
      return [ObjectIdentifier(token), ObjectIdentifier(queue)]
    }()
    // An allocator that could, would give them out again soon, but not under the address sanitizer.
    let others = (0..<1_000).map { _ in Token() }
    #expect(!others.contains { addresses.contains(ObjectIdentifier($0)) })
  }

  @Test(
    "Nor that of a dependency, or of what is waited for, that is not known yet: it may be freed before that is noted",
    arguments: Unknown.allCases)
  func keptAddressesOfUnknown(what: Unknown) {
    var recording = Recording()
    let operation = Token()
    let address = {
      let unknown = Token()
      recording.add(operation, after: what == .dependency ? [unknown] : [])
      switch what {
      case .dependency: break
      case .awaitedOperation:
        recording.start(operation)
        recording.beginWait(operation, for: unknown)
      case .awaitedQueue:
        recording.start(operation)
        recording.beginWait(operation, queue: unknown)
      }
      return ObjectIdentifier(unknown)
    }()
    let others = (0..<1_000).map { _ in Token() }
    #expect(!others.contains { address == ObjectIdentifier($0) })
  }

  @Test("Queues of one name that come one after the other are several")
  func queuesOfOneName() {
    var recording = Recording(capacity: 100)
    for _ in 0..<1_000 { recording.run(Token(), in: Token(), named: "images") }
    #expect(recording.history.operations.map(\.queueNumber) == Array(901...1_000))
  }

  @Test(
    "What depended on one that is not known, and has finished, depends on nobody who comes later",
    arguments: [false, true])
  func unknownDependency(hasRun: Bool) {
    var recording = Recording()
    let (unknown, dependent) = (Token(), Token())
    recording.add(dependent, after: [unknown])
    if hasRun { recording.start(dependent, after: [unknown]) }
    recording.finish(dependent, hasRun ? .succeeded : .failed("unknown"), after: [unknown])
    // Another one with the address that the unknown one had.
    recording.add(unknown, after: [dependent])
    #expect(recording.history.operations.map(\.dependencies) == [[], [1]])
  }

  @Test("A queue that was empty for a while is the same one afterwards")
  func sameQueue() {
    var recording = Recording()
    for _ in 0..<3 { recording.run(Token()) }
    #expect(Set(recording.history.operations.map(\.queueNumber)).count == 1)
  }

  // MARK: Dependencies

  @Test("Dependencies are found though they are added later, or have finished before")
  func dependencies() {
    var recording = Recording()
    let (early, late, dependent) = (Token(), Token(), Token())
    recording.run(early)
    recording.add(dependent, after: [late, early])
    #expect(recording.history.operations.last?.dependencies == [1])
    recording.add(late)
    #expect(recording.history.operations[1].dependencies == [3, 1])
    recording.start(late)
    recording.finish(late)
    recording.ready(dependent, after: late)
    recording.start(dependent, after: [late, early])
    recording.finish(dependent)
    #expect(recording.history.operations[1].dependencies == [3, 1])
  }

  @Test("One that did not run has the dependencies of its last report, and those that can still be seen")
  func dependenciesOfUnrun() {
    var recording = Recording()
    let (first, second, dependent) = (Token(), Token(), Token())
    recording.add(dependent, after: [first])
    recording.add(first)
    recording.add(second)
    recording.finish(dependent, .failed("broken"), after: [first, second])
    #expect(recording.history.operations[0].dependencies == [2, 3])
    #expect(recording.history.operations[0].outcome == .failed("broken"))
  }

  /// One by one there would be 5 000 000 000 comparisons.
  @Test("One that did not run and has 100 000 dependencies takes no square of them", .hangGuard)
  func manyDependenciesOfUnrun() {
    var recording = Recording(capacity: .max)
    let dependent = Token()
    let dependencies = (0..<100_000).map { _ in Token() }
    for dependency in dependencies { recording.add(dependency) }
    recording.add(dependent, after: dependencies)
    recording.finish(dependent, .cancelled, isCancelled: true, after: dependencies)
    #expect(recording.history.operations.last?.dependencies.count == 100_000)
  }

  @Test("Dependencies that were removed before the body began are none")
  func removedDependency() {
    var recording = Recording()
    let (first, dependent) = (Token(), Token())
    recording.add(first)
    recording.add(dependent, after: [first])
    recording.wait(1)
    recording.ready(dependent)
    recording.start(dependent)
    #expect(recording.history.operations[1].dependencies == [])
    #expect(recording.history.operations[1].story == ["blocked 0-1", "executing 1-1 in 1"])
  }
}
