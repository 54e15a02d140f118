import Testing

@testable import StructuredOperations

@Suite("RootSearch")
struct RootSearchTests {
  @Test("A chain goes back to its end, which goes back to nothing")
  func chain() {
    let search = search([[1], [2], []], roots: [2])

    #expect(search.roots(of: 0) == [2])
    #expect(search.roots(of: 2) == [])
    #expect(search.path(from: 0) == [0, 1, 2])
    #expect(!search.isInLoop(0))
  }

  @Test("Several roots are found once each, and one on the way, too")
  func several() {
    // 0 goes back to 1 and 2, both of them to 3 and 4; 2 is a root itself.
    let search = search([[1, 2], [3, 4], [3, 4], [], []], roots: [2, 3, 4])

    #expect(Set(search.roots(of: 0)) == [2, 3, 4])
    #expect(search.roots(of: 0).count == 3)
    #expect(search.roots(of: 2) == [3, 4])
    #expect(search.path(from: 0) == [0, 2])
  }

  @Test("What leads to nothing that is a root has none")
  func none() { #expect(search([[1], []], roots: []).roots(of: 0) == []) }

  @Test("The nodes of a loop are the roots of all that lead there, and of each other")
  func loop() {
    let search = search([[1], [2], [3], [1]], roots: [])

    #expect(Set(search.roots(of: 0)) == [1, 2, 3])
    #expect(Set(search.roots(of: 1)) == [2, 3])
    #expect(search.isInLoop(1) && !search.isInLoop(0))
    #expect(search.cycle(through: 2) == [2, 3, 1, 2])
    #expect(search.path(from: 0) == [0, 1])
  }

  @Test("A node that leads to itself is a loop of one")
  func selfLoop() {
    let search = search([[0]], roots: [])

    #expect(search.isInLoop(0))
    #expect(search.roots(of: 0) == [])
    #expect(search.cycle(through: 0) == [0, 0])
  }

  @Test("A loop counts although there is another cause besides")
  func loopAndRoot() {
    let search = search([[1, 2], [0], []], roots: [2])

    #expect(search.isInLoop(0) && search.isInLoop(1))
    #expect(Set(search.roots(of: 1)) == [0, 2])
  }

  @Test("Where one of a group is enough, there is a loop only if all of the group lead back", arguments: [true, false])
  func group(allLeadBack: Bool) {
    // 0 waits for 1, which waits for one of the group 3: 0 and 2.
    let search = search([[1], [3], allLeadBack ? [1] : [], [0, 2]], roots: allLeadBack ? [] : [2], groups: [3])

    #expect(search.isInLoop(0) == allLeadBack)
    #expect(Set(search.roots(of: 0)) == (allLeadBack ? [1, 2] : [2]))
    #expect(search.roots(of: 1).contains(3) == false)
  }

  @Test("Many roots are found as well as few", arguments: [1, 16, 17, 1_000])
  func many(count: Int) {
    let roots = Array(2..<2 + count)
    let search = search([[1], roots] + roots.map { _ in [] }, roots: Set(roots))

    #expect(search.roots(of: 0) == roots)
  }

  @Test("A chain of 100 000, every node of which is a root, is searched without recursion")
  func long() {
    let count = 100_000
    let search = search((0..<count).map { $0 + 1 < count ? [$0 + 1] : [] }, roots: Set(0..<count))

    #expect(search.roots(of: 0).count == count - 1)
    #expect(search.path(from: 0) == [0, 1])
  }

  @Test("In random graphs the roots are those that a plain search finds", arguments: 0..<200)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...12, using: &generator)
    let successors = (0..<count).map { _ in
      (0..<Int.random(in: 0...2, using: &generator)).map { _ in Int.random(in: 0..<count, using: &generator) }
    }
    let isRoot = (0..<count).map { successors[$0].isEmpty || Int.random(in: 0..<5, using: &generator) == 0 }
    let search = search(successors, roots: Set((0..<count).filter { isRoot[$0] }))
    let reached = (0..<count).map { reachable(from: $0, successors) }

    for node in 0..<count {
      // In a loop is what leads back to itself.
      #expect(search.isInLoop(node) == reached[node].contains(node), "seed \(seed), node \(node)")
      let expected = reached[node].filter { $0 != node && (isRoot[$0] || reached[$0].contains($0)) }
      #expect(Set(search.roots(of: node)) == expected, "seed \(seed), node \(node)")
    }
  }

  @Test("There is no loop through a group that may end, but a loop beside it counts, and so do the roots of the group")
  func mayEnd() {
    // 0 waits for one of the group 1: 0 and 2, which depends on 0.
    var alone = search([[1], [0, 2], [0]], roots: [], groups: [1], mayEnd: [1])
    #expect((0...2).allSatisfy { !alone.isInLoop($0) && alone.roots(of: $0) == [] })
    alone = search([[1], [0, 2], [0]], roots: [], groups: [1])
    #expect(alone.isInLoop(0) && alone.isInLoop(2))

    let beside = search([[1], [0, 2], [3], [2]], roots: [], groups: [1], mayEnd: [1])
    #expect(!beside.isInLoop(0) && beside.isInLoop(2))
    #expect(Set(beside.roots(of: 0)) == [2, 3])

    let rooted = search([[1], [0, 2], []], roots: [2], groups: [1], mayEnd: [1])
    #expect(rooted.roots(of: 0) == [2])
  }

  private func search(
    _ successors: [[Int]],
    roots: Set<Int>,
    groups: Set<Int> = [],
    mayEnd: Set<Int> = []
  ) -> RootSearch {
    var lists = EdgeLists()
    for nodes in successors {
      for node in nodes { lists.append(node) }
      lists.endNode()
    }
    return RootSearch(
      successors: lists, isRoot: successors.indices.map(roots.contains),
      isGroup: successors.indices.map(groups.contains), needsOne: successors.indices.map(groups.contains),
      mayEnd: successors.indices.map(mayEnd.contains))
  }

  /// What a node leads to by one step or more.
  private func reachable(from node: Int, _ successors: [[Int]]) -> Set<Int> {
    var found: Set<Int> = []
    var remaining = successors[node]
    while let next = remaining.popLast() {
      if found.insert(next).inserted { remaining += successors[next] }
    }
    return found
  }
}
