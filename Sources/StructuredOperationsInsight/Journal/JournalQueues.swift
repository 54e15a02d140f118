/// The queues that the operations of a journal belong to: those of which it keeps operations.
struct JournalQueues: Sendable {
  struct Queue: Sendable {
    /// Unique within the journal; 0 stands for all that was started by hand.
    let number: Int
    let name: String?
    let key: ObjectIdentifier?
    /// No other queue gets it as long as operations of this one are kept, which may have been freed.
    var address: JournalAddress?
    var slots = SlotNumbers()
    /// The number of operations that are kept.
    var recordCount = 0
  }

  /// The first one stands for all that was started by hand; entries that are not in use are listed in `unused`.
  private(set) var queues = [Queue(number: 0, name: nil, key: nil, address: nil)]
  private var indices: [ObjectIdentifier: Int] = [:]
  private var unused: [Int] = []
  private var lastNumber = 0

  subscript(index: Int) -> Queue { queues[index] }

  /// Nil for a queue of which no operations are kept.
  func number(at key: ObjectIdentifier) -> Int? { indices[key].map { queues[$0].number } }

  /// Counts an operation in.
  ///
  /// - Returns: The index of the queue.
  mutating func enter(_ object: JournalStateMachine.Object?, named name: String?) -> Int {
    let index = object.map { indices[ObjectIdentifier($0)] ?? insert($0, named: name) } ?? 0
    queues[index].recordCount += 1
    return index
  }

  /// An operation that has finished is kept no longer.
  mutating func forget(_ index: Int) {
    queues[index].recordCount -= 1
    guard index > 0, queues[index].recordCount == 0 else { return }
    if let key = queues[index].key { indices[key] = nil }
    queues[index].address = nil
    unused.append(index)
  }

  mutating func takeSlot(of index: Int) -> Int { queues[index].slots.take() }

  mutating func giveBack(_ slot: Int, of index: Int) { queues[index].slots.giveBack(slot) }

  private mutating func insert(_ object: JournalStateMachine.Object, named name: String?) -> Int {
    lastNumber += 1
    let key = ObjectIdentifier(object)
    let queue = Queue(number: lastNumber, name: name, key: key, address: JournalAddress(object: object))
    let index: Int
    if let free = unused.popLast() {
      index = free
      queues[free] = queue
    } else {
      index = queues.count
      queues.append(queue)
    }
    indices[key] = index
    return index
  }
}
