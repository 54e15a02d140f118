import Foundation
import StructuredOperationsFoundation
import Testing
import TestSupport

@Suite("Adding to an old queue", .hangGuard)
struct AddingTests {
  @Test("an operation that becomes ready while the queue takes it in is started")
  func adding() async {
    let begun = Gate()
    let operation = RacingOperation()
    operation.completionBlock = { begun.open() }
    OperationQueue().addSafely(operation)
    await begun.wait()
  }
}
