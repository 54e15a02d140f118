extension AsyncOperationQueue: OperationHost {
  nonisolated func operationChanged(_ core: OperationCore, _ change: OperationChange) {
    let need: QueueFront.Mailbox.Need =
      switch change {
      case .priority, .donation: .nothing
      case .standing:
        switch core.openStanding {
        case .pending, nil: .nothing
        case .ready: .slot
        case .leaving: core.isOfCaller ? .turn : .noSlot
        }
      }
    perform(front.post(.change(core, change), need: need))
  }

  nonisolated var rawTaskPriority: UInt8 { defaults.rawPriority }

  func lendSlot(for wait: BodyWait) {
    takeTurn { $0.lend(for: wait, &$1) }
  }

  nonisolated func bodyReturns(_ wait: BodyWait) {
    perform(front.post(.returned(wait), need: .turn))
  }

  nonisolated func scopeNeverEnds() {
    perform(front.post(.scopeGivenUp, need: .turn))
  }

  nonisolated func graphChanged() {
    perform(front.post(.graphChanged, need: .turn))
  }
}
