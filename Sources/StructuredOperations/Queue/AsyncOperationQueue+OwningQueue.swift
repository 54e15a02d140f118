extension AsyncOperationQueue: OwningQueue {
  nonisolated func operationChanged(_ storage: OperationStorage, _ change: OperationChange) {
    let need: QueueSharedState.Mailbox.Need =
      switch change {
      case .priority, .limits: needOfStandingInLine(storage)
      case .readiness:
        switch storage.unclaimedReadiness {
        case nil: .nothing
        case .blocked: needOfStandingInLine(storage)
        case .ready: .slot
        case .skipped: storage.runsInCaller ? .turn : .unsuspended
        }
      }
    perform(shared.post(change, of: storage, need: need))
  }

  nonisolated func observe(_ event: OperationEvent) { observer?.observe(event) }

  /// In line for its limits an operation may hold up others, or go ahead of them, in other queues, too; and it is in line only
  /// where there is a slot for it.
  private nonisolated func needOfStandingInLine(_ storage: OperationStorage) -> QueueSharedState.Mailbox.Need {
    storage.mayHaveLimits ? .slot : .nothing
  }

  nonisolated var rawTaskPriority: UInt8 { defaults.rawPriority }

  nonisolated var completionBlockRunner: any CompletionBlockRunner { shared }

  func releaseSlot(for wait: BodyWait) {
    process(.slotReleased(wait))
  }

  nonisolated func reacquireSlot(for wait: BodyWait) {
    perform(shared.post(.slotRequested(wait), need: .turn))
  }

  nonisolated func callWithdrawn(_ storage: OperationStorage) {
    perform(shared.post(.callWithdrawn(storage), need: .turn))
  }

  nonisolated func operationFailed(_ error: any Error) {
    if cancelsOnFailure { firstFailure.withLock { if $0 == nil { $0 = error } } }
  }

  nonisolated func scopeNeverEnds() {
    perform(shared.post(.scopeNeverEnds, need: .turn))
  }

  nonisolated var hasFreeSlot: Bool { shared.hasFreeSlot }

  nonisolated var hasBarriers: Bool { shared.hasBarriers }

  nonisolated func concurrencyLimitsChanged() {
    perform(shared.post(.concurrencyLimitsChanged, need: .turn))
  }

  nonisolated func graphChanged() {
    perform(shared.post(.graphChanged, need: .turn))
  }
}
