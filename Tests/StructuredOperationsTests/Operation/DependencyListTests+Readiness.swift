import Testing

@testable import StructuredOperations

extension DependencyListTests {
  @Suite("Readiness")
  struct Readiness {
    /// Gives numbers the identities that a list asks for.
    private final class Node {}

    private let nodes = (0..<12).map { _ in Node() }

    private func add(
      _ number: Int,
      _ requirement: DependencyRequirement,
      hasSucceeded: Bool? = nil,
      to list: inout DependencyList<Int>
    ) {
      let id = ObjectIdentifier(nodes[number])
      if let key = list.newKey(for: id) {
        list.append(number, id: id, key: key, requirement: requirement, hasSucceeded: hasSucceeded)
      } else {
        list.strengthen(id, to: requirement, hasSucceeded: hasSucceeded)
      }
    }

    @Test(
      "A dependency that is added blocks until it finishes, and skips where it failed",
      arguments: [
        (.completion, nil, .blocked), (.completion, true, .ready), (.completion, false, .ready),
        (.success, nil, .blocked), (.success, true, .ready), (.success, false, .skipped),
      ] as [(DependencyRequirement, Bool?, OperationReadiness)])
    func adding(requirement: DependencyRequirement, hasSucceeded: Bool?, readiness: OperationReadiness) {
      var list = DependencyList<Int>()

      add(0, requirement, hasSucceeded: hasSucceeded, to: &list)

      #expect(list.readiness == readiness)
    }

    @Test("The last of several unfinished dependencies that finishes makes the operation ready")
    func finishing() {
      var list = DependencyList<Int>()
      for number in 0..<3 { add(number, .completion, to: &list) }

      for key in [1, 2] {
        _ = list.finished(key, hasSucceeded: false)
        #expect(list.readiness == .blocked)
      }
      _ = list.finished(0, hasSucceeded: true)

      #expect(list.readiness == .ready)
    }

    @Test("A failed dependency skips, though others have not finished")
    func failing() {
      var list = DependencyList<Int>()
      for number in 0..<2 { add(number, .success, to: &list) }

      _ = list.finished(1, hasSucceeded: false)

      #expect(list.readiness == .skipped)
    }

    @Test("A finished dependency that is strengthened skips where it had failed", arguments: [false, true])
    func strengthening(hasSucceeded: Bool) {
      var list = DependencyList<Int>()
      add(0, .completion, to: &list)
      _ = list.finished(0, hasSucceeded: hasSucceeded)
      #expect(list.readiness == .ready)

      add(0, .success, hasSucceeded: hasSucceeded, to: &list)

      #expect(list.readiness == (hasSucceeded ? .ready : .skipped))
    }

    @Test("Removing what failed has the operation wait for the others again, and removing those makes it ready")
    func removing() {
      var list = DependencyList<Int>()
      for number in 0..<2 { add(number, .success, to: &list) }
      _ = list.finished(0, hasSucceeded: false)

      _ = list.remove(ObjectIdentifier(nodes[0]))
      #expect(list.readiness == .blocked)
      _ = list.remove(ObjectIdentifier(nodes[1]))

      #expect(list.readiness == .ready)
    }

    @Test("An emptied list is ready, whatever it held", arguments: [Bool?.none, false])
    func emptying(hasSucceeded: Bool?) {
      var list = DependencyList<Int>()
      add(0, .success, hasSucceeded: hasSucceeded, to: &list)
      #expect(list.readiness != .ready)

      _ = list.removeAll()

      #expect(list.readiness == .ready)
    }

    @Test("In random sequences the readiness is that of the statuses counted one by one", arguments: 0..<50)
    func randomSequences(seed: Int) throws {
      var random = SeededGenerator(seed: UInt64(seed))
      var list = DependencyList<Int>()
      // What each dependency has come to, whether the list has been told or not.
      var ends: [Int: Bool] = [:]
      var seen: Set<OperationReadiness> = []
      for step in 0..<600 {
        let number = Int.random(in: 0..<nodes.count, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: add(number, random.oneIn(2) ? .success : .completion, hasSucceeded: ends[number], to: &list)
        case 8..<13:
          guard let entry = list.entries.randomElement(using: &random) else { continue }
          let hasSucceeded = ends[entry.operation] ?? !random.oneIn(3)
          ends[entry.operation] = hasSucceeded
          _ = list.finished(entry.key, hasSucceeded: hasSucceeded)
        case 13..<18:
          _ = list.remove(ObjectIdentifier(nodes[number]))
          // Another operation takes its place.
          ends[number] = nil
        case 18: ends[number] = ends[number] ?? random.oneIn(2)
        default:
          if random.oneIn(4) { _ = list.removeAll() }
        }
        let statuses = list.entries.map(\.status)
        let expected: OperationReadiness =
          statuses.contains(.failed) ? .skipped : statuses.contains(.unfinished) ? .blocked : .ready
        try ModelMismatch.check(list.readiness, expected, "the readiness with \(statuses)", seed: seed, step: step)
        seen.insert(list.readiness)
      }
      #expect(seen.count == 3)
    }
  }
}
