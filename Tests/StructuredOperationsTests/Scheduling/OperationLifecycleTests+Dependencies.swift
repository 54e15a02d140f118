import Testing

@testable import StructuredOperations

extension OperationLifecycleTests {
  /// All that can become of a dependency, and what it means for an operation on which nothing else weighs.
  private static let changes: [(before: DependencyStatus?, after: DependencyStatus?, isTold: Bool)] = [
    (nil, nil, false), (nil, .unfinished, true), (nil, .finished, false), (nil, .failed, true),
    (.unfinished, nil, true), (.unfinished, .unfinished, false), (.unfinished, .finished, true),
    (.unfinished, .failed, true),
    (.finished, nil, false), (.finished, .finished, false), (.finished, .failed, true),
    (.failed, nil, true), (.failed, .failed, false),
  ]

  private static func standing(with status: DependencyStatus?) -> OperationStanding {
    switch status {
    case .unfinished: .pending
    case .failed: .leaving
    case .finished, nil: .ready
    }
  }

  @Test(
    "A dependency that is added, finishes, is asked more of or removed changes how the operation stands",
    arguments: changes)
  func dependency(before: DependencyStatus?, after: DependencyStatus?, isTold: Bool) {
    for phase in [Phase.idle, .enqueued] {
      var lifecycle = Self.lifecycle(phase)
      _ = lifecycle.dependencyChanged(from: nil, to: before)
      #expect(lifecycle.standing == Self.standing(with: before))

      #expect(lifecycle.dependencyChanged(from: before, to: after) == isTold)

      #expect(lifecycle.standing == Self.standing(with: after))
    }
  }

  @Test("Where the operation was cancelled no dependency changes anything (DP-10)", arguments: changes)
  func dependencyOfCancelled(before: DependencyStatus?, after: DependencyStatus?, isTold: Bool) {
    var lifecycle = Self.lifecycle(.enqueued)
    _ = lifecycle.dependencyChanged(from: nil, to: before)
    _ = lifecycle.cancel()

    #expect(lifecycle.dependencyChanged(from: before, to: after) == false)

    #expect(lifecycle.standing == .leaving)
    #expect(lifecycle.snapshot == OperationSnapshot(state: .ready, isCancelled: true))
  }

  @Test(
    "From the moment at which an operation is chosen dependencies no longer count (DP-08)",
    arguments: [
      (.claimedByQueue, .ready), (.claimedByStart, .ready), (.executing, .executing), (.concluded, .finished),
      (.settled, .finished),
    ] as [(Phase, OperationState)])
  func dependencyOfChosen(phase: Phase, state: OperationState) {
    for status in [DependencyStatus.unfinished, .failed, .finished] {
      var lifecycle = Self.lifecycle(phase)

      #expect(lifecycle.dependencyChanged(from: nil, to: status) == false)
      #expect(lifecycle.snapshot.state == state)
    }
  }

  @Test("Of several dependencies only the first that holds back and the last that lets go change anything")
  func several() {
    var lifecycle = Self.lifecycle(.enqueued)

    #expect(lifecycle.dependencyChanged(from: nil, to: .unfinished) == true)
    #expect(lifecycle.dependencyChanged(from: nil, to: .unfinished) == false)
    #expect(lifecycle.dependencyChanged(from: nil, to: .finished) == false)
    #expect(lifecycle.dependencyChanged(from: .unfinished, to: .finished) == false)
    #expect(lifecycle.snapshot.state == .pending)
    #expect(lifecycle.dependencyChanged(from: .unfinished, to: nil) == true)
    #expect(lifecycle.snapshot.state == .ready)
  }

  @Test("An operation whose failed dependency is removed waits for the others again")
  func failureRemoved() {
    var lifecycle = Self.lifecycle(.enqueued)
    _ = lifecycle.dependencyChanged(from: nil, to: .unfinished)

    #expect(lifecycle.dependencyChanged(from: nil, to: .failed) == true)
    #expect(lifecycle.snapshot.state == .ready)
    #expect(lifecycle.dependencyChanged(from: .failed, to: nil) == true)
    #expect(lifecycle.standing == .pending)
    #expect(lifecycle.snapshot.state == .pending)
  }

  @Test("A cancellation lets a pending operation through, in one change")
  func cancelPending() {
    var lifecycle = Self.lifecycle(.enqueued)
    _ = lifecycle.dependencyChanged(from: nil, to: .unfinished)
    #expect(lifecycle.snapshot == OperationSnapshot(state: .pending, isCancelled: false))

    #expect(lifecycle.cancel() == .tellQueue)

    #expect(lifecycle.snapshot == OperationSnapshot(state: .ready, isCancelled: true))
    #expect(lifecycle.dependencyChanged(from: .unfinished, to: .finished) == false)
  }

  @Test(
    "The priority changes until the operation is chosen (PR-07)",
    arguments: [
      (.idle, true), (.enqueued, true), (.claimedByQueue, false), (.claimedByStart, false), (.executing, false),
      (.concluded, false), (.settled, false),
    ] as [(Phase, Bool)])
  func priority(phase: Phase, isChanged: Bool) {
    var lifecycle = Self.lifecycle(phase)

    #expect(lifecycle.setQueuePriority(.high) == isChanged)
    #expect(lifecycle.queuePriority == (isChanged ? .high : .normal))
    #expect(lifecycle.setQueuePriority(lifecycle.queuePriority) == false, "the same level is no change")
  }
}
