import Foundation
import StructuredOperations
import StructuredOperationsFoundation
import Testing

@Suite("Priorities")
struct PriorityTests {
  static let qualities: [QualityOfService] = [.background, .utility, .default, .userInitiated, .userInteractive]

  @Test("every quality of service comes back from its task priority", arguments: qualities)
  func roundTrip(quality: QualityOfService) {
    #expect(QualityOfService(TaskPriority(quality)) == quality)
  }

  @Test("a higher quality of service is a higher task priority")
  func order() {
    let priorities = Self.qualities.map { TaskPriority($0).rawValue }
    #expect(priorities == priorities.sorted())
    #expect(Set(priorities).count == priorities.count)
  }

  @Test(
    "the named task priorities are the qualities of their names",
    arguments: [
      (TaskPriority.background, QualityOfService.background), (.low, .utility), (.utility, .utility),
      (.medium, .default), (.high, .userInitiated), (.userInitiated, .userInitiated),
    ])
  func names(priority: TaskPriority, quality: QualityOfService) {
    #expect(QualityOfService(priority) == quality)
  }

  @Test("every number is some quality, and no higher one for a lower number")
  func total() {
    let order = (UInt8(1)...UInt8.max).map { number in
      Self.qualities.firstIndex(of: QualityOfService(TaskPriority(rawValue: number))) ?? -1
    }
    #expect(order == order.sorted())
    #expect(order.first == 0)
    #expect(order.last == Self.qualities.count - 1)
    #expect(QualityOfService(TaskPriority(rawValue: 0)) == .default)
  }

  @Test("the queue priorities are Foundation's, both ways", arguments: QueuePriority.allCases)
  func queuePriorities(priority: QueuePriority) {
    let old = Operation.QueuePriority(priority)
    #expect(old.rawValue == priority.rawValue)
    #expect(QueuePriority(old) == priority)
  }
}
