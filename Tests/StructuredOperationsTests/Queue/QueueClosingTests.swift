import Testing

@testable import StructuredOperations

@Suite("QueueClosing")
struct QueueClosingTests {
  @Test("Only what is closed and empty is over, barriers included")
  func isOver() {
    var closing = QueueClosing()
    #expect(!closing.isClosed && !closing.isOver(operationCount: 0))
    closing.barrierAdded()
    closing.barrierAdded()
    closing.close()
    #expect(closing.isClosed && !closing.isOver(operationCount: 0))
    closing.barriersFinished(1)
    #expect(closing.hasBarriers && !closing.isOver(operationCount: 0))
    closing.barriersFinished(1)
    #expect(!closing.hasBarriers && closing.isOver(operationCount: 0) && !closing.isOver(operationCount: 1))
    closing.close()
    #expect(closing.isOver(operationCount: 0))
  }

  @Test("A closed queue takes no barrier, and no more barriers finish than were added")
  func misuse() async {
    await #expect(processExitsWith: .failure) {
      var closing = QueueClosing()
      closing.close()
      closing.barrierAdded()
    }
    await #expect(processExitsWith: .failure) {
      var closing = QueueClosing()
      closing.barriersFinished(1)
    }
  }
}
