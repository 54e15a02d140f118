import TestSupport
import Testing

@testable import StructuredOperations

@Suite("ErasedOutcome")
struct ErasedOutcomeTests {
  @Test(
    "Only a success is one, and not an outcome that was released",
    arguments: [
      (.success(OperationOutput(1)), true), (.failure(Failure()), false), (.cancelled, false), (.released, false),
    ] as [(ErasedOutcome, Bool)])
  func isSuccess(outcome: ErasedOutcome, isSuccess: Bool) {
    #expect(outcome.isSuccess == isSuccess)
  }

  @Test("The operation's outcome has the type of its output, and that of the error")
  func typed() async throws {
    let (number, failing, cancelled) = (
      AsyncOperation { 42 }, AsyncOperation<Int> { throw Failure(code: 7) }, AsyncOperation { 1 }
    )
    cancelled.cancel()
    for operation in [number, failing, cancelled] {
      #expect(operation.outcome == nil)
      try await operation.start()
    }
    guard case .success(42) = number.outcome else { throw Unexpected("no success") }
    #expect(failing.outcome?.error as? Failure == Failure(code: 7))
    #expect(cancelled.outcome?.isCancelled == true)
  }
}
