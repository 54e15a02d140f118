import Foundation
import Testing
import TestSupport

@testable import StructuredOperationsFoundation

@Suite("ReadinessNotice", .hangGuard)
struct ReadinessNoticeTests {
  @Test("has an operation started that becomes ready while a queue takes it in")
  func adding() async {
    let notice = ReadinessNotice()
    let finished = Gate()
    let operation = RacingOperation { notice.wasRead(of: $0) }
    operation.completionBlock = { finished.open() }
    OperationQueue().addOperation(operation)
    await finished.wait()
  }

  #if !canImport(Darwin)
    @Test("does not take its own readings for news")
    func own() async {
      let notice = ReadinessNotice()
      let readings = Locked(0)
      let operation = ReadOperation { operation in
        readings.increment()
        notice.wasRead(of: operation)
      }
      #expect(operation.isReady)
      #expect(await eventually { readings.current == 2 })
      #expect(operation.isReady)
      #expect(await eventually { readings.current == 4 })
    }
  #endif
}

/// An operation that tells when its readiness is read.
private final class ReadOperation: Operation, @unchecked Sendable {
  private let noticed: @Sendable (Operation) -> Void

  init(noticed: @escaping @Sendable (Operation) -> Void) {
    self.noticed = noticed
  }

  override var isReady: Bool {
    noticed(self)
    return true
  }
}
