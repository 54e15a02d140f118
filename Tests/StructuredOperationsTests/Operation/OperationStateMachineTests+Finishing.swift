import TestSupport
import Testing

@testable import StructuredOperations

extension OperationStateMachineTests {
  private static let mayFinish: [Stage] = [
    .idle, .claimedByQueue, .claimedByStart, .executing, .executingInCaller,
  ]

  /// A wait of a body for an operation.
  private func makeWait() throws -> BodyWait {
    let context = ExecutionContext(operation: AsyncOperation {}, task: try #require(BodyTask.current))
    return BodyWait(of: context, for: .operations([operation]))
  }

  private func dependent() -> Machine.Dependent { Machine.Dependent(storage: AsyncOperation {}.storage, key: 1) }

  /// A function, since `#expect` would copy the finish.
  private static func hasFollowUps(_ machine: inout Machine) -> Bool { machine.publishFinish(success).hasFollowUps }

  // MARK: Finishing in steps

  @Test("A finish is published before everyone has been told", arguments: mayFinish)
  func publishFinish(stage: Stage) throws {
    var machine = try machine(stage)

    let outcome = machine.publishFinish(.failure(Failure(code: 1))).outcome

    #expect(machine.snapshot == OperationSnapshot(state: .finished, isCancelled: false))
    #expect(machine.observedSnapshot == nil)
    #expect(!machine.isEveryoneTold)
    #expect(outcome == .failed)
    guard case .failure(let error) = machine.outcome else { throw Unexpected("no failure") }
    #expect(error as? Failure == Failure(code: 1))

    #expect(machine.tellWaiters().waiters.isEmpty)

    #expect(machine.isEveryoneTold)
    #expect(machine.observedSnapshot == machine.snapshot)
    guard case .failure = machine.outcome else { throw Unexpected("another outcome") }
  }

  @Test("The assignment goes away with the finish, which hands it over", arguments: mayFinish)
  func assignmentOfFinished(stage: Stage) throws {
    var machine = try machine(stage)
    let isAssigned = machine.assignment != nil

    let assignment = machine.publishFinish(.cancelled).released.assignment

    #expect(machine.assignment == nil)
    #expect((assignment != nil) == isAssigned)
    #expect((assignment?.queue === queue) == isAssigned)
  }

  @Test(
    "A body that has not run is handed over by the finish, and held no longer", arguments: [Stage.idle] + Stage.claimed)
  func bodyOfFinished(stage: Stage) throws {
    let gone = Gate()
    func makeMachine() -> Machine {
      let canary = Canary(gone)
      return Machine(body: .start { canary.sing() }, queuePriority: .normal)
    }
    var machine = makeMachine()
    try bring(&machine, to: stage)
    func finish() -> Bool {
      let finish = machine.publishFinish(.cancelled)
      return finish.body != nil && !gone.isOpen
    }

    #expect(finish())
    #expect(gone.isOpen)
  }

  @Test("The finish of a body that has run hands over no body")
  func noBody() throws {
    var machine = try machine(.executing)
    let body = machine.publishFinish(Self.success).body
    #expect(body == nil)
  }

  @Test("The finish takes all edges, and keeps what the operation depended on weakly")
  func edges() async throws {
    var machine = try machine(.idle)
    let dependency = AsyncOperation {}
    Self.add(dependency, hasSucceeded: true, to: &machine)
    func addFreed() { Self.add(AsyncOperation {}, hasSucceeded: true, to: &machine) }
    addFreed()
    _ = machine.addDependent(dependent())

    func finish() -> (dependents: Int, dependencies: Int) {
      let finish = machine.publishFinish(Self.success)
      let outcome = finish.outcome
      #expect(outcome == .succeeded)
      return (finish.dependents.count, finish.released.dependencies.count)
    }

    #expect(finish() == (1, 2))
    #expect(machine.dependents.isEmpty && machine.dependencies.isEmpty)
    let past = machine.connections.value.pastDependencies.compactMap(\.operation)
    #expect(past.map { ObjectIdentifier($0) } == [ObjectIdentifier(dependency)])
  }

  @Test("Plain waiters are resumed at the very end, those that came after the finish was published, too")
  func waiters() async throws {
    var machine = try machine(.executing)
    let count = Locked(0)
    for isLate in [false, true] {
      if isLate { _ = machine.publishFinish(Self.success) }
      await withUnsafeContinuation { waiter in
        #expect(machine.addWaiter(FinishWaiter(waiter)) == true)
        count.increment()
        // The test itself goes on; the machine still has the waiter, which is not resumed again.
        waiter.resume()
      }
    }

    #expect(machine.tellWaiters().waiters.count == count.current)
  }

  @Test("A cancelled waiter leaves until the finish is published; then it is told of that", arguments: Stage.allCases)
  func cancelledWaiters(stage: Stage) async throws {
    var machine = try machine(stage)
    let task = try #require(BodyTask.current)
    await withUnsafeContinuation { plain in
      _ = machine.addWaiter(FinishWaiter(plain))
      plain.resume()
    }
    #expect(machine.removeWaiter(cancelledWith: task) == nil, "one that cannot be cancelled")
    await withUnsafeContinuation { cancellable in
      _ = machine.addWaiter(FinishWaiter(cancellable, cancelledWith: task))
      cancellable.resume()
    }

    let mayLeave = stage != .finishing && stage != .finished
    #expect((machine.removeWaiter(cancelledWith: task) != nil) == mayLeave)
    #expect(machine.removeWaiter(cancelledWith: task) == nil)
    if stage != .finished { #expect(machine.connections.value.waiters.count == (mayLeave ? 1 : 2)) }
  }

  @Test(
    "A waiter is refused once everyone has been told, and so is a body that waits", arguments: Stage.allCases)
  func lateWaiters(stage: Stage) async throws {
    var machine = try machine(stage)
    await withUnsafeContinuation { waiter in
      #expect(machine.addWaiter(FinishWaiter(waiter)) == (stage != .finished))
      waiter.resume()
    }
    let wait = try makeWait()
    #expect(machine.addWaitingBody(wait) == (stage != .finished))
    #expect(machine.waitingBodies.contains { $0 === wait } == (stage != .finished))
  }

  @Test("What follows is taken once: the completion block, and the bodies that wait")
  func followUps() throws {
    var machine = try machine(.executing)
    _ = machine.setCompletionBlock(CompletionBlock { _ in })
    _ = machine.addWaitingBody(try makeWait())
    #expect(Self.hasFollowUps(&machine))

    let first = machine.takeFollowUps(of: AsyncOperation {})
    let second = machine.takeFollowUps(of: AsyncOperation {})

    #expect(first.completionCall != nil && first.waitingBodies.count == 1)
    #expect(second.completionCall == nil && second.waitingBodies.isEmpty)
    #expect(machine.tellWaiters().waitingBodies.isEmpty)
  }

  @Test("A finish has follow-ups only where there is a block or a body that waits")
  func noFollowUps() throws {
    var plain = try machine(.executing)
    #expect(!Self.hasFollowUps(&plain))

    var edges = try machine(.executing)
    _ = edges.addDependent(dependent())
    #expect(!Self.hasFollowUps(&edges))

    var waiting = try machine(.executing)
    _ = waiting.addWaitingBody(try makeWait())
    #expect(Self.hasFollowUps(&waiting))
  }

  @Test("A body that begins to wait after the follow-ups were taken is told last")
  func lateWaitingBody() throws {
    var machine = try machine(.finishing)
    _ = machine.takeFollowUps(of: AsyncOperation {})
    let wait = try makeWait()
    #expect(machine.addWaitingBody(wait) == true)

    #expect(machine.tellWaiters().waitingBodies.map { $0 === wait } == [true])
    #expect(machine.waitingBodies.isEmpty)
  }

  @Test("A body that waits no longer is removed once")
  func removedWaitingBody() throws {
    var machine = try machine(.executing)
    let (wait, other) = (try makeWait(), try makeWait())
    _ = machine.addWaitingBody(wait)
    _ = machine.addWaitingBody(other)

    #expect(machine.removeWaitingBody(wait) === wait)
    #expect(machine.removeWaitingBody(wait) == nil)
    #expect(machine.takeFollowUps(of: AsyncOperation {}).waitingBodies.map { $0 === other } == [true])
  }

  // MARK: Finishing at once

  /// Why an operation may not finish at once, or may all the same.
  enum Reason: CaseIterable {
    case nothing, waiter, dependency, removedDependent, removedBlock
    case escalation, dependent, waitingBody, completionBlock, observer

    var mayFinishAtOnce: Bool {
      switch self {
      case .nothing, .waiter, .dependency, .removedDependent, .removedBlock: true
      case .escalation, .dependent, .waitingBody, .completionBlock, .observer: false
      }
    }
  }

  @Test("An operation may finish at once unless its end concerns others", arguments: Reason.allCases)
  func reasons(reason: Reason) async throws {
    var machine = try machine(.idle)
    if reason == .dependency { Self.add(AsyncOperation {}, hasSucceeded: true, to: &machine) }
    try bring(&machine, to: .executing)
    switch reason {
    case .nothing, .dependency: break
    case .waiter:
      await withUnsafeContinuation { waiter in
        _ = machine.addWaiter(FinishWaiter(waiter))
        waiter.resume()
      }
    case .removedDependent:
      let dependent = dependent()
      _ = machine.addDependent(dependent)
      _ = machine.removeDependent(dependent.storage, key: dependent.key)
    case .removedBlock:
      _ = machine.setCompletionBlock(CompletionBlock { _ in })
      _ = machine.setCompletionBlock(nil)
    case .escalation: machine.escalatedPriority = TaskPriority.high.rawValue
    case .dependent: _ = machine.addDependent(dependent())
    case .waitingBody: _ = machine.addWaitingBody(try makeWait())
    case .completionBlock: _ = machine.setCompletionBlock(CompletionBlock { _ in })
    case .observer:
      let observer = OperationObserverReference(EventRecorder())
      machine.observation.change { $0.made(AsyncOperation {}, observer: observer) }
    }

    #expect(machine.canFinishAtOnce == reason.mayFinishAtOnce)
  }

  @Test("Only an operation whose body runs can finish at once", arguments: Stage.allCases)
  func stages(stage: Stage) throws {
    #expect(try machine(stage).canFinishAtOnce == [.executing, .executingInCaller].contains(stage))
  }

  @Test("A task ends once its handle was released, and may be told to have ended again")
  func released() throws {
    var machine = try machine(.executing)
    _ = machine.leaseTask()
    let isFree = machine.endTask()
    #expect(machine.releaseTask() == nil)
    let ends = [machine.endTask(), machine.endTask()]
    #expect(!isFree && ends == [true, true])
    #expect(machine.leaseTask() == nil)
  }

  @Test("A finish at once is seen by all at one moment, and hands over the waiters")
  func finishAtOnce() async throws {
    var machine = try machine(.executing)
    await withUnsafeContinuation { waiter in
      _ = machine.addWaiter(FinishWaiter(waiter))
      waiter.resume()
    }

    let assignment = machine.finishAtOnce(Self.success).assignment

    #expect(machine.isEveryoneTold)
    #expect(machine.observedSnapshot == OperationSnapshot(state: .finished, isCancelled: false))
    #expect(machine.assignment == nil && assignment?.queue === queue)
    #expect(machine.outcome?.isSuccess == true)
    #expect(machine.takeWaiters().count == 1)
  }

  // MARK: Outcomes

  @Test("A CancellationError is a cancellation only where the operation was cancelled", arguments: [false, true])
  func outcomes(isCancelled: Bool) throws {
    var machine = try machine(.executing)
    if isCancelled { _ = machine.cancel() }

    #expect(machine.outcome(of: .error(CancellationError())).isCancelled == isCancelled)
    #expect(!machine.outcome(of: .error(Failure())).isCancelled)
    #expect(machine.outcome(of: .output(OperationOutput(()))).isSuccess)
  }

  @Test("A cancelled operation stays cancelled to its end")
  func cancelledToTheEnd() throws {
    var machine = try machine(.executing)
    _ = machine.cancel()

    _ = machine.publishFinish(Self.success)
    #expect(machine.snapshot == OperationSnapshot(state: .finished, isCancelled: true))
    _ = machine.tellWaiters()
    #expect(machine.snapshot == OperationSnapshot(state: .finished, isCancelled: true))
  }

  @Test("A finished operation is finished, whatever held it back before", arguments: Circumstance.allCases)
  func finishedState(circumstance: Circumstance) throws {
    var machine = try machine(.idle)
    Self.apply(circumstance, to: &machine)

    _ = machine.publishFinish(.cancelled)

    #expect(machine.snapshot.state == .finished)
    #expect(machine.unclaimedReadiness == nil)
  }
}
