import TestSupport
import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests.Prefetching {
  @Test(
    "Of a graph that is changed while it runs on threads each operation runs once, and never more than the width",
    arguments: [2, 8, 64])
  func changedGraph(width: Int) async {
    for seed in 0..<20 as Range<UInt64> {
      let graph = ChangingGraph(seed: seed, width: width, size: seed < 19 ? 120 : 1_500)
      await graph.run()
      let (counts, highest, cancelled) = graph.bodies.withLock { ($0.counts, $0.highest, $0.cancelled) }
      #expect(counts.allSatisfy { $0 <= 1 }, "seed \(seed)")
      #expect(counts.count { $0 == 0 } <= cancelled, "seed \(seed)")
      #expect(highest <= width, "seed \(seed)")
      let snapshot = graph.queue.snapshot
      #expect(snapshot.completedCount == counts.count && snapshot.operationCount == 0, "seed \(seed)")
      #expect(snapshot.executingCount == 0, "seed \(seed)")
    }
  }

  /// A random graph, in which dependencies and priorities change while it runs, and operations are cancelled.
  private struct ChangingGraph {
    struct Bodies {
      var counts: [Int]
      var running = 0
      var highest = 0
      var cancelled = 0
    }

    let queue: AsyncOperationQueue
    let bodies: Locked<Bodies>
    private let seed: UInt64
    /// An operation depends on some that were made that much earlier.
    private let distance = 12

    init(seed: UInt64, width: Int, size: Int) {
      self.seed = seed
      queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
      bodies = Locked(Bodies(counts: Array(repeating: 0, count: size)))
    }

    func run() async {
      var random = SeededGenerator(seed: seed)
      var operations: [AsyncOperation<Void>] = []
      for index in 0..<bodies.withLock(\.counts.count) {
        let operation = body(index, suspends: Bool.random(using: &random))
        for _ in 0..<(index < distance ? 0 : 3) {
          let other = Int.random(in: max(0, index - 2 * distance)...(index - distance), using: &random)
          _ = try? await operation.addDependency(operations[other])
        }
        operations.append(operation)
      }
      await withTaskGroup(of: Void.self) { [operations] group in
        group.addTask { _ = await queue.add(operations) }
        for task in 1...2 as ClosedRange<UInt64> { group.addTask { await change(operations, by: seed &* 4 &+ task) } }
      }
      await queue.waitUntilAllOperationsAreFinished()
    }

    private func body(_ index: Int, suspends: Bool) -> AsyncOperation<Void> {
      AsyncOperation { [bodies] () async in
        bodies.withLock {
          $0.counts[index] += 1
          $0.running += 1
          $0.highest = max($0.highest, $0.running)
        }
        if suspends { await Task.yield() }
        bodies.withLock { $0.running -= 1 }
      }
    }

    private func change(_ operations: [AsyncOperation<Void>], by seed: UInt64) async {
      var random = SeededGenerator(seed: seed)
      var edges: [(operation: Int, dependency: Int)] = []
      for _ in 0..<100 {
        let index = Int.random(in: 1..<operations.count, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<4:
          let earlier = Int.random(in: max(0, index - distance)..<index, using: &random)
          if (try? await operations[index].addDependency(operations[earlier])) != nil { edges.append((index, earlier)) }
        case 4, 5:
          if let edge = edges.popLast() {
            await operations[edge.operation].removeDependency(operations[edge.dependency])
          }
        case 6: await operations[index].setQueuePriority(.high)
        default:
          if Int.random(in: 0..<8, using: &random) > 0 { continue }
          bodies.withLock { $0.cancelled += 1 }
          operations[index].cancel()
        }
      }
    }
  }
}
