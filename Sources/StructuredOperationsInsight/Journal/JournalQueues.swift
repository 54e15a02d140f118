/// The queues that the operations of a journal belong to: those of which it keeps operations.
struct JournalQueues: Sendable {
  struct Queue: Sendable {
    /// Unique within the journal; 0 stands for all that was started by hand.
    let number: Int
    let name: String?
    let key: ObjectIdentifier?
    var slots = SlotNumbers()
    /// The number of operations that are kept.
    var recordCount = 0
    var unfinishedCount = 0
  }

  /// The first one stands for all that was started by hand; entries that are not in use are listed in `unused`.
  private(set) var queues = [Queue(number: 0, name: nil, key: nil)]
  private var indices: [ObjectIdentifier: Int] = [:]
  private var unused: [Int] = []
  private var lastNumber = 0

  subscript(index: Int) -> Queue { queues[index] }

  /// Counts an operation in.
  ///
  /// - Returns: The index of the queue.
  mutating func enter(_ object: JournalStateMachine.Object?, named name: String?) -> Int {
    let index = object.map { find($0, named: name) ?? insert($0, named: name) } ?? 0
    queues[index].recordCount += 1
    queues[index].unfinishedCount += 1
    return index
  }

  mutating func finish(_ index: Int) { queues[index].unfinishedCount -= 1 }

  /// An operation that has finished is kept no longer.
  mutating func forget(_ index: Int) {
    queues[index].recordCount -= 1
    guard index > 0, queues[index].recordCount == 0 else { return }
    if let key = queues[index].key, indices[key] == index { indices[key] = nil }
    unused.append(index)
  }

  mutating func takeSlot(of index: Int) -> Int { queues[index].slots.take() }

  mutating func giveBack(_ slot: Int, of index: Int) { queues[index].slots.giveBack(slot) }

  /// The index of a queue, where it is known.
  ///
  /// A queue with unfinished operations lives. One without may have been freed, and another one have got its address:
  /// where it has got the name as well, they count as one. A weak reference would tell, but with one all that holds the
  /// queue gets slower.
  private func find(_ object: JournalStateMachine.Object, named name: String?) -> Int? {
    guard let index = indices[ObjectIdentifier(object)] else { return nil }
    return queues[index].unfinishedCount > 0 || queues[index].name == name ? index : nil
  }

  private mutating func insert(_ object: JournalStateMachine.Object, named name: String?) -> Int {
    lastNumber += 1
    let queue = Queue(number: lastNumber, name: name, key: ObjectIdentifier(object))
    let index: Int
    if let free = unused.popLast() {
      index = free
      queues[free] = queue
    } else {
      index = queues.count
      queues.append(queue)
    }
    indices[ObjectIdentifier(object)] = index
    return index
  }
}
