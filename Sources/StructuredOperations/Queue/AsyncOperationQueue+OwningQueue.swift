extension AsyncOperationQueue: OwningQueue {
  nonisolated func operationChanged(_ storage: OperationStorage, _ change: OperationChange) {
    let need: QueueSharedState.Mailbox.Need =
      switch change {
      case .priority, .escalation: .nothing
      case .limits: .slot
      case .readiness:
        switch storage.unclaimedReadiness {
        case .blocked, nil: .nothing
        case .ready: .slot
        case .skipped: storage.runsInCaller ? .turn : .unsuspended
        }
      }
    perform(shared.post(change, of: storage, need: need))
  }

  nonisolated var rawTaskPriority: UInt8 { defaults.rawPriority }

  nonisolated var completionBlockRunner: any CompletionBlockRunner { shared }

  func releaseSlot(for wait: BodyWait) {
    process(.slotReleased(wait))
  }

  nonisolated func reacquireSlot(for wait: BodyWait) {
    perform(shared.post(.slotRequested(wait), need: .turn))
  }

  nonisolated func scopeNeverEnds() {
    perform(shared.post(.scopeNeverEnds, need: .turn))
  }

  nonisolated var hasFreeSlot: Bool { shared.hasFreeSlot }

  nonisolated func limitsChanged() {
    perform(shared.post(.limitsChanged, need: .turn))
  }

  nonisolated func graphChanged() {
    perform(shared.post(.graphChanged, need: .turn))
  }
}
