import StructuredOperationsTesting
import TestSupport
import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests.Prefetching {
  /// Each body compares itself with what a model says comes next, which knows nothing of batches.
  @Test(
    "Of thousands one runs after the other by priority and order, whatever their bodies add, raise and cancel",
    arguments: 0..<5 as Range<UInt64>)
  func order(seed: UInt64) async throws {
    let program = OrderedProgram(seed: seed)
    try await program.run()
    let (begun, expected) = program.model.withLock { ($0.begun, $0.expected) }
    let wrong = zip(begun, expected).enumerated().first { $0.element.0 != $0.element.1 }
    #expect(wrong == nil)
    #expect(begun.count > 1_000 && program.queue.snapshot.completedCount == program.model.withLock { $0.count })
    // Once a batch is as large as can be, there are few turns, unless the bodies change something.
    if program.pause > 5_000 { #expect(program.queue.shared.batchNumber < 40) }
  }

  /// Operations in a queue of one slot.
  private final class OrderedProgram: Sendable {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
    let model: Locked<OrderModel>
    /// The body of each so many-th operation changes something.
    let pause: Int
    private let operations = Locked<[AsyncOperation<Void>]>([])
    private let random: Locked<SeededGenerator>

    init(seed: UInt64) {
      pause = [10_000, 7, 60, 400, 1_100][Int(seed % 5)]
      random = Locked(SeededGenerator(seed: seed))
      model = Locked(OrderModel())
    }

    func run() async throws {
      for index in 0..<1_300 {
        let other = number(below: max(index, 1))
        try make(priority(), after: index > 0 && number(below: 8) == 0 ? other : nil)
      }
      await queue.add(operations.current)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @discardableResult
    private func make(_ priority: QueuePriority, after other: Int?) throws -> AsyncOperation<Void> {
      let index = model.withLock { $0.add(priority, after: other) }
      let operation = AsyncOperation(queuePriority: priority) { [unowned self] () async throws in
        model.withLock { $0.begin(index) }
        if index % pause == pause - 1 { try await change() }
        model.withLock { $0.finish(index) }
      }
      if let other { try operation.addDependency(operations.withLock { $0[other] }) }
      operations.withLock { $0.append(operation) }
      return operation
    }

    private func change() async throws {
      let count = operations.withLock(\.count)
      let other = number(below: count)
      let operation = operations.withLock { $0[other] }
      switch number(below: 4) {
      case 0 where model.withLock({ $0.cancel(other) }): operation.cancel()
      case 1:
        let priority = priority()
        if model.withLock({ $0.move(other, to: priority) }) { await operation.setQueuePriority(priority) }
      default: if count < 1_800 { await queue.add(try make(priority(), after: nil)) }
      }
    }

    private func number(below bound: Int) -> Int { random.withLock { Int.random(in: 0..<bound, using: &$0) } }

    private func priority() -> QueuePriority {
      number(below: 4) > 0 ? .normal : QueuePriority.allCases[number(below: QueuePriority.allCases.count)]
    }
  }

  /// What comes next in a queue of one slot.
  private struct OrderModel {
    private struct Operation {
      var priority: QueuePriority
      var rank: Int
      var dependency: Int?
      var hasDependents = false
      var isWaiting = true
      var isFinished = false
    }

    private var operations: [Operation] = []
    private var lastRank = 0
    private(set) var begun: [Int] = []
    private(set) var expected: [Int] = []

    var count: Int { operations.count }

    mutating func add(_ priority: QueuePriority, after dependency: Int?) -> Int {
      lastRank += 1
      operations.append(Operation(priority: priority, rank: lastRank, dependency: dependency))
      if let dependency { operations[dependency].hasDependents = true }
      return operations.count - 1
    }

    mutating func begin(_ index: Int) {
      begun.append(index)
      expected.append(next ?? -1)
      operations[index].isWaiting = false
    }

    mutating func finish(_ index: Int) { operations[index].isFinished = true }

    /// - Returns: Whether that has an effect; false for what others depend on, which a turn lets go.
    mutating func cancel(_ index: Int) -> Bool {
      guard operations[index].isWaiting, !operations[index].hasDependents else { return false }
      (operations[index].isWaiting, operations[index].isFinished) = (false, true)
      return true
    }

    mutating func move(_ index: Int, to priority: QueuePriority) -> Bool {
      guard operations[index].isWaiting, operations[index].priority != priority else { return false }
      lastRank += 1
      (operations[index].priority, operations[index].rank) = (priority, lastRank)
      return true
    }

    private var next: Int? {
      var next: Int?
      for (index, operation) in operations.enumerated() where operation.isWaiting {
        if let dependency = operation.dependency, !operations[dependency].isFinished { continue }
        if let best = next.map({ operations[$0] }),
          (best.priority, operation.rank) >= (operation.priority, best.rank)
        {
          continue
        }
        next = index
      }
      return next
    }
  }
}
