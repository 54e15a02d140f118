import Foundation
import StructuredOperations
import StructuredOperationsFoundation
import Testing

@Suite("OperationError with Foundation")
struct OperationErrorTests {
  @Test("Its localized description is its description, also where only an Error is known")
  func localizedDescription() {
    let root = AsyncOperation(name: "root") {}
    let error: any Error = OperationError.dependencyFailed(on: root, underlying: CancellationError())
    #expect(error.localizedDescription == "\(error)")
    #expect(error.localizedDescription.contains("\"root\""))
  }
}
