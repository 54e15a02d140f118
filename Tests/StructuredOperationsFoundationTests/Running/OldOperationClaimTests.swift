import Foundation
import StructuredOperations
import TestSupport
import Testing

@testable import StructuredOperationsFoundation

@Suite("OldOperationClaim")
struct OldOperationClaimTests {
  /// Is run to its end by somebody else as soon as it has been asked for the first time whether it has finished.
  private final class Hasty: Operation, @unchecked Sendable {
    private let answers = Locked(0)

    override var isFinished: Bool {
      let isFirst = answers.withLock { answers in
        answers += 1
        return answers == 1
      }
      if isFirst { try? OldOperationClaim(on: self).end() }
      return !isFirst
    }
  }

  @Test("What somebody else has claimed, run and given up meanwhile cannot be claimed, and is not claimed afterwards")
  func finishedMeanwhile() {
    let operation = Hasty()
    #expect(throws: OperationError.alreadyFinished) { try OldOperationClaim(on: operation) }
    #expect(throws: OperationError.alreadyFinished) { try OldOperationClaim(on: operation) }
  }
}
