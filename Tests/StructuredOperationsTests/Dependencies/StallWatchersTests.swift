import Testing
import TestSupport

@testable import StructuredOperations

@Suite("StallWatchers")
struct StallWatchersTests {
  private let queues = (0..<4).map { _ in FakeQueue() }
  private let operations = (0..<3).map { _ in AsyncOperation {} }
  private var watchers = StallWatchers()

  private mutating func watch(_ queue: Int, _ needs: [Int], isOpenEnded: Bool = false, byScopeAlone: Bool = false) {
    let needs = StallAnalysis.Needs(needs.map { operations[$0].storage }, isOpenEnded: isOpenEnded)
    watchers.insert(queues[queue], needs: needs, stallsByScopeAlone: byScopeAlone)
  }

  private func concerned(by operation: Int, isForScope: Bool = false, except queue: Int? = nil) -> [Int] {
    let found = watchers.concerned(
      by: operations[operation].storage, isForScope: isForScope, except: queue.map { ObjectIdentifier(queues[$0]) })
    return found.compactMap { watcher in queues.firstIndex { $0 === watcher.queue } }
  }

  @Test("Those are concerned that need the operation, or may need any, in the order in which they came")
  mutating func concerned() {
    watch(2, [0, 1])
    watch(0, [1])
    watch(3, [], isOpenEnded: true)
    watch(1, [0], isOpenEnded: true)
    #expect(concerned(by: 0) == [2, 3, 1])
    #expect(concerned(by: 1) == [2, 0, 3, 1])
    #expect(concerned(by: 2) == [3, 1])
    #expect(concerned(by: 1, except: 0) == [2, 3, 1])
    #expect(concerned(by: 1, except: 3) == [2, 0, 1])
  }

  @Test("A wait for the end of a scope concerns none that stalls by its own scope alone")
  mutating func scopes() {
    watch(0, [0], byScopeAlone: true)
    watch(1, [], isOpenEnded: true, byScopeAlone: true)
    watch(2, [0])
    #expect(concerned(by: 0, isForScope: true) == [2])
    #expect(concerned(by: 0) == [0, 1, 2])
  }

  @Test("In a run of a reproducible executor one that may need any operation is concerned by edges of that run")
  mutating func runs() {
    for queue in 0..<2 {
      let needs = StallAnalysis.Needs([operations[queue].storage], isOpenEnded: true)
      watchers.insert(queues[queue], needs: needs, stallsByScopeAlone: false, run: queue)
    }
    watch(2, [], isOpenEnded: true)
    func concerned(by operation: Int, in run: Int?) -> [Int] {
      watchers.concerned(by: operations[operation].storage, isOfOtherRun: { $0 != run })
        .compactMap { watcher in queues.firstIndex { $0 === watcher.queue } }
    }
    #expect(concerned(by: 2, in: 0) == [0, 2])
    #expect(concerned(by: 2, in: 1) == [1, 2])
    #expect(concerned(by: 2, in: nil) == [2])
    #expect(concerned(by: 0, in: 1) == [0, 1, 2], "it needs this very operation, whoever adds the edge")
    #expect(concerned(by: 0, in: nil) == [0, 2])
  }

  @Test("What was removed, or watches something else now, is not found by what it watched")
  mutating func removing() {
    watch(0, [0, 1], isOpenEnded: true)
    watch(1, [0])
    watch(0, [1])
    #expect(concerned(by: 0) == [1])
    #expect(concerned(by: 1) == [0])
    #expect(watchers.contains(ObjectIdentifier(queues[0])))
    for queue in queues { watchers.remove(ObjectIdentifier(queue)) }
    #expect(watchers.isEmpty)
    #expect((0..<3).allSatisfy { concerned(by: $0).isEmpty })
    watch(0, [])
    #expect((0..<3).allSatisfy { concerned(by: $0).isEmpty }, "nothing is left of what it watched before")
  }
}
