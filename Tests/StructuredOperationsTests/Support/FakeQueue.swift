import TestSupport

@testable import StructuredOperations

/// A queue that runs nothing and records what it is told.
final class FakeQueue: OwningQueue, CompletionBlockRunner {
  enum Message: Equatable {
    case changed(OperationChange)
    case observed(OperationEvent.Kind)
    case failed, callWithdrawn
    case completionBlock, slotReleased, slotRequested, scopeNeverEnds, graphChanged, concurrencyLimitsChanged
  }

  let name = "fake"
  let rawTaskPriority: UInt8
  let executor: (any TaskExecutor)?
  private let log = Locked<[Message]>([])

  init(rawTaskPriority: UInt8 = 0, executor: (any TaskExecutor)? = nil, hasBarriers: Bool = true) {
    self.hasBarriers = hasBarriers
    self.rawTaskPriority = rawTaskPriority
    self.executor = executor
  }

  var messages: [Message] { log.current }

  func observe(_ event: OperationEvent) { log.append(.observed(event.kind)) }

  func operationChanged(_ storage: OperationStorage, _ change: OperationChange) { log.append(.changed(change)) }

  var completionBlockRunner: any CompletionBlockRunner { self }

  func run(_ call: CompletionBlock.Call) -> Bool {
    log.append(.completionBlock)
    return true
  }

  func releaseSlot(for wait: BodyWait) async { log.append(.slotReleased) }

  func reacquireSlot(for wait: BodyWait) { log.append(.slotRequested) }

  func operationFailed(_ error: any Error) { log.append(.failed) }

  func callWithdrawn(_ storage: OperationStorage) { log.append(.callWithdrawn) }

  func scopeNeverEnds() { log.append(.scopeNeverEnds) }

  let hasFreeSlot = false
  let hasBarriers: Bool

  func concurrencyLimitsChanged() { log.append(.concurrencyLimitsChanged) }

  func graphChanged() { log.append(.graphChanged) }
}
