import Testing

@testable import StructuredOperations

@Suite("QueuePriority")
struct QueuePriorityTests {
  @Test("Of two levels the one with the higher number is the greater")
  func order() {
    for one in QueuePriority.allCases {
      for other in QueuePriority.allCases {
        #expect((one < other) == (one.rawValue < other.rawValue), "\(one) and \(other)")
      }
    }
  }
}
