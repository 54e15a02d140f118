import Testing

@testable import StructuredOperations

@Suite("DependencyList")
struct DependencyListTests {
  /// Gives numbers the identities that a list asks for.
  private final class Node {}

  /// A list of numbers, and what identifies each of them.
  private struct Fixture {
    let nodes: [Node]
    var list = DependencyList<Int>()

    /// - Parameter count: So many are in the list; as many again are not.
    init(_ count: Int, requirement: DependencyRequirement = .completion) {
      nodes = (0..<2 * count + 1).map { _ in Node() }
      for number in 0..<count { append(number, requirement: requirement) }
    }

    func id(_ number: Int) -> ObjectIdentifier { ObjectIdentifier(nodes[number]) }

    mutating func append(_ number: Int, requirement: DependencyRequirement = .completion) {
      add(number, requirement: requirement, hasSucceeded: nil)
    }

    /// - Returns: The key that the list gave to the edge; nil where the edge existed.
    @discardableResult
    mutating func add(_ number: Int, requirement: DependencyRequirement, hasSucceeded: Bool?) -> Int? {
      let key = list.newKey(for: id(number))
      if let key {
        list.append(number, id: id(number), key: key, requirement: requirement, hasSucceeded: hasSucceeded)
      } else {
        list.strengthen(id(number), to: requirement, hasSucceeded: hasSucceeded)
      }
      return key
    }

    var numbers: [Int] { list.entries.map(\.operation) }
  }

  /// Short lists have no index, long ones have, and some come to it in the middle of a test.
  private static let lengths = [1, 2, 7, 8, 9, 20]

  @Test("A new list is empty, and holds nothing back")
  func empty() {
    var fixture = Fixture(0)

    #expect(fixture.list.isEmpty)
    #expect(fixture.list.readiness == .ready)
    #expect(fixture.list.firstFailed == nil)
    #expect(!fixture.list.contains(fixture.id(0)))
    #expect(fixture.list.remove(fixture.id(0)) == nil)
    #expect(fixture.list.finished(0, hasSucceeded: true) == nil)
  }

  @Test("The order is that of addition, with growing keys (DP-01)", arguments: lengths)
  func order(length: Int) {
    let fixture = Fixture(length)

    #expect(fixture.numbers == Array(0..<length))
    #expect(fixture.list.entries.map(\.key) == Array(0..<length))
    #expect(fixture.list.nextKey == length)
  }

  @Test("What is in the list is found, what is not is not (DP-02)", arguments: lengths)
  func finding(length: Int) {
    let fixture = Fixture(length)

    for number in 0..<length {
      #expect(fixture.list.contains(fixture.id(number)))
      #expect(fixture.list.operation(with: fixture.id(number)) == number)
    }
    for number in length..<2 * length {
      #expect(!fixture.list.contains(fixture.id(number)))
      #expect(fixture.list.operation(with: fixture.id(number)) == nil)
    }
  }

  @Test("A dependency that was removed is gone, and comes to the end when it is added again", arguments: lengths)
  func removal(length: Int) {
    var fixture = Fixture(length)

    let entry = fixture.list.remove(fixture.id(0))

    #expect(entry?.operation == 0)
    #expect(entry?.key == 0)
    #expect(!fixture.list.contains(fixture.id(0)))
    #expect(fixture.list.remove(fixture.id(0)) == nil)

    fixture.append(0)

    #expect(fixture.numbers == Array(1..<length) + [0])
    #expect(fixture.list.entries.last?.key == length)
    #expect(fixture.list.operation(with: fixture.id(0)) == 0)
  }

  @Test(
    "The key of an edge that was removed means nothing, though the operation is in the list again", arguments: lengths)
  func staleKeys(length: Int) {
    var fixture = Fixture(length)
    _ = fixture.list.remove(fixture.id(length - 1))
    fixture.append(length - 1)

    #expect(!fixture.list.isUnfinished(length - 1))
    #expect(fixture.list.finished(length - 1, hasSucceeded: true) == nil)
    #expect(fixture.list.isUnfinished(length))
    #expect(fixture.list.finished(length, hasSucceeded: true) == .finished)
  }

  @Test("A dependency finishes once", arguments: lengths)
  func finishesOnce(length: Int) {
    var fixture = Fixture(length)

    for key in 0..<length {
      #expect(fixture.list.isUnfinished(key))
      #expect(fixture.list.finished(key, hasSucceeded: true) == .finished)
      #expect(!fixture.list.isUnfinished(key))
      #expect(fixture.list.finished(key, hasSucceeded: false) == nil)
    }
    #expect(fixture.list.entries.count == length, "finished ones stay in the list (DP-15)")
  }

  @Test(
    "How a dependency ends counts only where success is required (DP-13)",
    arguments: [
      (.completion, true, .finished), (.completion, false, .finished), (.success, true, .finished),
      (.success, false, .failed),
    ] as [(DependencyRequirement, Bool, DependencyStatus)])
  func requirements(requirement: DependencyRequirement, hasSucceeded: Bool, status: DependencyStatus) {
    var fixture = Fixture(1, requirement: requirement)

    #expect(fixture.list.finished(0, hasSucceeded: hasSucceeded) == status)
    #expect(fixture.list.entries[0].status == status)
    #expect(fixture.list.firstFailed == (status == .failed ? 0 : nil))
  }

  @Test("Of several that failed the first in the list counts, not the first that finished")
  func firstFailed() {
    var fixture = Fixture(4, requirement: .success)

    _ = fixture.list.finished(0, hasSucceeded: true)
    _ = fixture.list.finished(3, hasSucceeded: false)
    #expect(fixture.list.firstFailed == 3)
    _ = fixture.list.finished(1, hasSucceeded: false)

    #expect(fixture.list.firstFailed == 1)
  }

  /// What an edge was before it is strengthened.
  enum End: CaseIterable { case unfinished, succeeded, failed }

  @Test(
    "The stronger requirement holds, and may turn what finished into a failure",
    arguments: [
      (.completion, .completion, .unfinished, .unfinished, .unfinished),
      (.completion, .completion, .succeeded, .finished, .finished),
      (.completion, .completion, .failed, .finished, .finished),
      (.completion, .success, .unfinished, .unfinished, .unfinished),
      (.completion, .success, .succeeded, .finished, .finished),
      (.completion, .success, .failed, .finished, .failed),
      (.success, .completion, .unfinished, .unfinished, .unfinished),
      (.success, .completion, .succeeded, .finished, .finished),
      (.success, .completion, .failed, .failed, .failed),
      (.success, .success, .unfinished, .unfinished, .unfinished),
      (.success, .success, .succeeded, .finished, .finished),
      (.success, .success, .failed, .failed, .failed),
    ] as [(DependencyRequirement, DependencyRequirement, End, DependencyStatus, DependencyStatus)])
  func strengthening(
    first: DependencyRequirement,
    second: DependencyRequirement,
    end: End,
    before: DependencyStatus,
    after: DependencyStatus
  ) {
    var fixture = Fixture(1, requirement: first)
    let hasSucceeded: Bool? = end == .unfinished ? nil : end == .succeeded
    if let hasSucceeded { _ = fixture.list.finished(0, hasSucceeded: hasSucceeded) }

    #expect(fixture.list.entries.map(\.status) == [before])

    #expect(fixture.add(0, requirement: second, hasSucceeded: hasSucceeded) == nil)

    #expect(fixture.list.entries.map(\.status) == [after])
    #expect(fixture.list.entries.map(\.requirement) == [first == .success ? .success : second])
  }

  @Test("An operation that is added twice is in the list once, and gets no second key", arguments: lengths)
  func addingTwice(length: Int) {
    var fixture = Fixture(length)

    #expect(fixture.add(length, requirement: .success, hasSucceeded: nil) == length)
    #expect(fixture.add(length, requirement: .success, hasSucceeded: nil) == nil)
    #expect(fixture.add(2 * length, requirement: .success, hasSucceeded: false) == length + 1)

    #expect(fixture.numbers == Array(0...length) + [2 * length])
    #expect(fixture.list.entries.suffix(2).map(\.status) == [.unfinished, .failed])
  }

  @Test("An edge that was strengthened in time fails with its dependency")
  func strengthenedInTime() {
    var fixture = Fixture(1)

    fixture.add(0, requirement: .success, hasSucceeded: nil)

    #expect(fixture.list.finished(0, hasSucceeded: false) == .failed)
  }

  // The dependency is published as finished before it tells its dependents.
  @Test("An edge that is strengthened before it is told of a failure stays unfinished until it is told")
  func strengthenedBeforeTold() {
    var fixture = Fixture(1)

    fixture.add(0, requirement: .success, hasSucceeded: false)

    #expect(fixture.list.entries.map(\.status) == [.unfinished])
    #expect(fixture.list.readiness == .blocked)
    #expect(fixture.list.finished(0, hasSucceeded: false) == .failed)
  }

  @Test("Edges that come and go leave nothing behind in the index")
  func index() {
    var fixture = Fixture(1_000)
    for number in 8..<1_000 { _ = fixture.list.remove(fixture.id(number)) }

    let counts = Mirror(reflecting: fixture.list).children
      .map { Mirror(reflecting: $0.value) }
      .map { $0.displayStyle == .optional ? $0.children.first.map { Mirror(reflecting: $0.value) } ?? $0 : $0 }
      .map(\.children.count)
    #expect(counts.max() == 8)
  }

  @Test("An emptied list gives back all, and starts again with keys of its own", arguments: lengths)
  func emptying(length: Int) {
    var fixture = Fixture(length)

    let entries = fixture.list.removeAll()

    #expect(entries.map(\.operation) == Array(0..<length))
    #expect(fixture.list.isEmpty)
    #expect(!fixture.list.contains(fixture.id(0)))
    fixture.append(0)
    #expect(fixture.list.finished(0, hasSucceeded: true) == nil)
    #expect(fixture.list.isUnfinished(length))
  }

  @Test("The list is like an array of edges, whatever is added, removed and finished", arguments: 0..<100)
  func model(seed: Int) throws {
    var numbers = SeededGenerator(seed: UInt64(seed))
    var fixture = Fixture(15)
    _ = fixture.list.removeAll()
    var model: [(number: Int, key: Int, isUnfinished: Bool)] = []
    for step in 0..<400 {
      let number = Int.random(in: 0..<fixture.nodes.count, using: &numbers)
      let index = model.firstIndex { $0.number == number }
      try ModelMismatch.check(
        fixture.list.contains(fixture.id(number)), index != nil, "having \(number)", seed: seed, step: step)
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0..<4:
        if index != nil { continue }
        model.append((number, fixture.list.nextKey, true))
        fixture.append(number)
      case 4..<6:
        let removed = fixture.list.remove(fixture.id(number))
        try ModelMismatch.check(removed?.key, index.map { model[$0].key }, "the removed key", seed: seed, step: step)
        if let index { model.remove(at: index) }
      default:
        let key = Int.random(in: 0...fixture.list.nextKey, using: &numbers)
        let index = model.firstIndex { $0.key == key && $0.isUnfinished }
        let isUnfinished = fixture.list.isUnfinished(key)
        try ModelMismatch.check(isUnfinished, index != nil, "key \(key) unfinished", seed: seed, step: step)
        let status = fixture.list.finished(key, hasSucceeded: true)
        try ModelMismatch.check(status, index.map { _ in .finished }, "the end of key \(key)", seed: seed, step: step)
        if let index { model[index].isUnfinished = false }
      }
      try ModelMismatch.check(fixture.numbers, model.map(\.number), "the list", seed: seed, step: step)
    }
  }
}

extension DependencyList {
  var isEmpty: Bool { entries.isEmpty }

  func contains(_ id: ObjectIdentifier) -> Bool { operation(with: id) != nil }
}
