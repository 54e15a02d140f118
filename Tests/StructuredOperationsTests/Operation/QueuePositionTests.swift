import Testing

@testable import StructuredOperations

@Suite("QueuePosition")
struct QueuePositionTests {
  @Test(
    "Of two operations of one priority that of the higher rank comes after, however many came between",
    arguments: [
      1, 1 << 31, (1 << 31) + 1, 1 << 32, (1 << 32) + 1, 1 << 47, (1 << 48) - 1,
    ])
  func ranks(between: Int) {
    let (first, last) = (QueuePosition(priority: .normal, rank: 0), QueuePosition(priority: .normal, rank: between))
    #expect(last.comesAfter(first))
    #expect(!first.comesAfter(last))
    #expect(!last.comesAfter(last))
  }

  @Test("A higher priority comes before, whatever the ranks; what is added now comes after its own priority")
  func priorities() {
    let (low, high) = (QueuePosition(priority: .low, rank: 0), QueuePosition(priority: .high, rank: 1 << 40))
    #expect(low.comesAfter(high))
    #expect(!high.comesAfter(low))
    #expect(low.comesAfterAddition(of: .normal))
    #expect(!low.comesAfterAddition(of: .low))
  }

  @Test("A position takes no more than eight bytes, also where there may be none")
  func size() {
    #expect(MemoryLayout<QueuePosition?>.size <= 8)
  }
}
