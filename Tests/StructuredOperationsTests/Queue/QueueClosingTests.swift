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

  @Test("A batch that has begun is taken, whatever happens meanwhile, and a closed queue is not over before")
  func batches() {
    var closing = QueueClosing()
    let begins = (0..<2).map { _ in closing.beginAdding() }
    #expect(begins == [true, true] && closing.isAdding)
    closing.close()
    let beginsLate = closing.beginAdding()
    #expect(!beginsLate)
    closing.endAdding()
    #expect(closing.isAdding && closing.isEmpty(operationCount: 0) && !closing.isOver(operationCount: 0))
    closing.endAdding()
    #expect(!closing.isAdding && closing.isOver(operationCount: 0) && !closing.isOver(operationCount: 1))
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
    await #expect(processExitsWith: .failure) {
      var closing = QueueClosing()
      closing.endAdding()
    }
  }
}
