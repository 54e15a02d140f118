import StructuredOperations
import TestSupport
import Testing

@Suite("OperationOutcome")
struct OperationOutcomeTests {
  @Test("get() returns the output, or throws the error or CancellationError")
  func get() throws {
    #expect(try OperationOutcome.success(1).get() == 1)
    #expect(throws: Failure(code: 2)) { try OperationOutcome<Int>.failure(Failure(code: 2)).get() }
    #expect(throws: CancellationError.self) { try OperationOutcome<Int>.cancelled.get() }
  }
}
