import Testing

@testable import StructuredOperations

@Suite("QueuePriority")
struct QueuePriorityTests {
  @Test("The levels have Foundation's numbers, from the lowest to the highest (PR-01)")
  func levels() {
    #expect(QueuePriority.allCases == [.veryLow, .low, .normal, .high, .veryHigh])
    #expect(QueuePriority.allCases.map(\.rawValue) == [-8, -4, 0, 4, 8])
  }

  @Test("Of two levels the one with the higher number is the greater")
  func order() {
    for one in QueuePriority.allCases {
      for other in QueuePriority.allCases {
        #expect((one < other) == (one.rawValue < other.rawValue), "\(one) and \(other)")
      }
    }
  }

  @Test(
    "A number that is no level moves towards normal, to the first level it meets (PR-02)",
    arguments: [
      (Int.min, .veryLow), (-10, .veryLow), (-9, .veryLow), (-8, .veryLow),
      (-7, .low), (-5, .low), (-4, .low),
      (-3, .normal), (-1, .normal), (0, .normal), (1, .normal), (3, .normal),
      (4, .high), (5, .high), (7, .high),
      (8, .veryHigh), (9, .veryHigh), (10, .veryHigh), (Int.max, .veryHigh),
    ] as [(Int, QueuePriority)])
  func clamping(number: Int, level: QueuePriority) {
    #expect(QueuePriority(clamping: number) == level)
  }
}
