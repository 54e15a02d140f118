import Testing

@testable import StructuredOperations

@Suite("LimitNeeds")
struct LimitNeedsTests {
  private let limits = (0..<3).map { _ in ConcurrencyLimit(9) }

  private func need(_ index: Int, cost: Int = 1) -> LimitNeed { LimitNeed(limit: limits[index], cost: cost) }

  @Test("Each limit is there once, in the order of addition, at the highest of its costs")
  func adding() {
    var needs = LimitNeeds()
    #expect(needs.isEmpty && needs.inScheduler.isEmpty)
    for (index, cost) in [(1, 1), (0, 3), (1, 2), (0, 1), (2, 1)] {
      needs.add(need(index, cost: cost))
    }
    #expect(Array(needs) == [need(1, cost: 2), need(0, cost: 3), need(2)])
    #expect(needs.inScheduler.map(\.limit) == [1, 0, 2].map { limits[$0].id })
    #expect(needs.inScheduler.map(\.cost) == [2, 3, 1])
  }

  @Test("Equal needs are equal, however they came to be", arguments: [[0], [1, 0, 2]])
  func equality(indices: [Int]) {
    let made = LimitNeeds(indices.map { limits[$0] })
    var added = LimitNeeds()
    for index in indices {
      #expect(added != made)
      added.add(need(index))
    }
    #expect(added == made && Array(added) == indices.map { need($0) })
    #expect(added.inScheduler.map(\.limit) == made.inScheduler.map(\.limit))
    added.add(need(indices[0]))
    #expect(added == made)
    added.add(need(indices[0], cost: 2))
    #expect(added != made && added[0] == need(indices[0], cost: 2))
    #expect(LimitNeeds([limits[0]]) != LimitNeeds([limits[1]]))
  }
}
