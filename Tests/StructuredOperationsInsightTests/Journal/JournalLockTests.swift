import Testing

@testable import StructuredOperationsInsight

@Suite("JournalLock")
struct JournalLockTests {
  private final class Counter: Sendable {
    let lock = JournalLock(0)

    func increment() { lock.withLock { $0 += 1 } }

    /// - Returns: The count; nil where somebody has the lock.
    func incrementIfAvailable() -> Int? {
      lock.withLockIfAvailable { value in
        value += 1
        return value
      }
    }
  }

  @Test("One that is free is taken, as often as it is")
  func free() {
    let counter = Counter()
    counter.increment()
    #expect(counter.incrementIfAvailable() == 2)
    #expect(counter.incrementIfAvailable() == 3)
  }

  @Test("One that is taken is found so at once, whichever way it was taken, even by the thread that has it")
  func taken() {
    let counter = Counter()
    #expect(counter.lock.withLock { _ in counter.incrementIfAvailable() } == nil)
    #expect(counter.lock.withLockIfAvailable { _ in counter.incrementIfAvailable() } == .some(nil))
    #expect(counter.incrementIfAvailable() == 1)
  }

  @Test("Of several threads one at a time has the lock")
  func manyThreads() async {
    let counter = Counter()
    let (tasks, increments) = (4, 2_000)
    let left = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<tasks {
        group.addTask { (0..<increments).count { _ in counter.incrementIfAvailable() == nil } }
      }
      return await group.reduce(0, +)
    }
    #expect(counter.lock.withLock { $0 } == tasks * increments - left)
  }
}
