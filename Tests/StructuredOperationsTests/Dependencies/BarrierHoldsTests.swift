import Testing

@testable import StructuredOperations

@Suite("BarrierHolds")
struct BarrierHoldsTests {
  private let queues = [FakeQueue(), FakeQueue()]
  private let operations = (0..<6).map { AsyncOperation(name: "\($0)") {} }

  private var storages: [OperationStorage] { operations.map(\.storage) }

  /// In the first queue 0 and 1 are ahead of the barrier 2; 3 and 4 are behind it.
  private func holds(needs: [Int] = []) -> BarrierHolds {
    for operation in operations.dropLast() { operation.enqueue(in: queues[0]) }
    operations[5].enqueue(in: queues[1])
    var holds = BarrierHolds()
    let hold = BarrierHolds.Hold(
      ahead: Array(storages[0...1]), needs: StallAnalysis.Needs((needs + [0, 1]).map { storages[$0] }),
      behind: Array(storages[2...4]), barriers: [storages[2]])
    holds.insert(hold, of: ObjectIdentifier(queues[0]))
    return holds
  }

  private func finish() { for operation in operations { operation.finish() } }

  /// What some operations wait for, as one search asks.
  private func awaited(by numbers: Int..., in holds: BarrierHolds) -> [[OperationStorage]] {
    var followed: Set<ObjectIdentifier> = []
    return numbers.map { holds.awaited(by: storages[$0], &followed) }
  }

  /// What waits for some operations, as one search asks.
  private func waiting(for numbers: Int..., in holds: BarrierHolds) -> [[OperationStorage]] {
    var followed: Set<ObjectIdentifier> = []
    return numbers.map { holds.waiting(for: storages[$0], &followed) }
  }

  @Test("What is behind the barrier waits for those ahead of it, and so does the barrier; nothing else does")
  func following() {
    let holds = holds()
    for number in 2...4 { #expect(awaited(by: number, in: holds) == [Array(storages[0...1])]) }
    for number in [0, 1, 5] { #expect(awaited(by: number, in: holds) == [[]]) }
    for number in 0...1 { #expect(waiting(for: number, in: holds) == [Array(storages[2...4])]) }
    for number in 2...5 { #expect(waiting(for: number, in: holds) == [[]]) }
    finish()
  }

  @Test("It is followed once in a search: what all wait for is the same")
  func once() {
    let holds = holds()
    #expect(awaited(by: 0, 3, 4, in: holds).map(\.count) == [0, 2, 0])
    #expect(waiting(for: 4, 1, 0, in: holds).map(\.count) == [0, 3, 0])
    finish()
  }

  @Test("What is awaited by those ahead is not held: it may pass the barrier")
  func needs() {
    let holds = holds(needs: [3])
    #expect(awaited(by: 3, in: holds) == [[]] && !holds.isHeld(storages[3]))
    #expect(holds.isHeld(storages[4]))
    finish()
  }

  @Test("What is cancelled waits for no barrier, but a barrier keeps its place; what has begun is not held")
  func skipped() {
    let holds = holds()
    for number in 2...3 { operations[number].cancel() }
    #expect(holds.isHeld(storages[2]) && !holds.isHeld(storages[3]) && holds.isHeld(storages[4]))
    #expect(waiting(for: 0, in: holds) == [[storages[2], storages[4]]])
    finish()
    #expect(!holds.isHeld(storages[2]) && !holds.isHeld(storages[4]))
  }

  @Test("What is added later is behind the barrier, too, as long as something is left here")
  func adding() {
    var holds = holds()
    let late = [AsyncOperation {}, AsyncOperation {}]
    for (number, operation) in late.enumerated() {
      operation.enqueue(in: queues[0])
      let isKnown = holds.add(operation.storage, isBarrier: number == 1, to: ObjectIdentifier(queues[0]))
      #expect(isKnown)
      operation.cancel()
    }
    #expect(!holds.isHeld(late[0].storage) && holds.isHeld(late[1].storage))
    #expect(waiting(for: 0, in: holds).joined().last == late[1].storage)

    var removed = holds.remove(of: ObjectIdentifier(queues[0]))
    #expect(removed != nil && !holds.isHeld(storages[4]))
    let isKnown = holds.add(storages[5], isBarrier: false, to: ObjectIdentifier(queues[0]))
    removed = holds.remove(of: ObjectIdentifier(queues[0]))
    #expect(!isKnown && removed == nil)
    finish()
    for operation in late { operation.finish() }
  }
}
