import Testing

@testable import StructuredOperations

extension OperationStateMachineTests {
  /// What follows from a cancellation, in short.
  private enum Cancelled: Equatable { case nothing, notify, cancelTask }

  private func cancel(_ machine: inout Machine) -> Cancelled {
    switch machine.cancel() {
    case .nothing: .nothing
    case .notify(let told): told === queue ? .notify : .nothing
    case .endStart: .nothing
    case .cancelTask(let task): task == BodyTask.current ? .cancelTask : .nothing
    }
  }

  @Test(
    "A cancellation notifies the queue of an unclaimed operation, and leases the task of one that executes",
    arguments: [
      (.idle, .nothing, true), (.enqueued, .notify, true), (.admitted, .notify, true),
      (.claimedByQueue, .nothing, true), (.claimedByStart, .nothing, true), (.executing, .cancelTask, true),
      (.executingInCaller, .nothing, true), (.finishing, .nothing, false), (.finished, .nothing, false),
    ] as [(Stage, Cancelled, Bool)])
  private func cancel(stage: Stage, action: Cancelled, isCancelled: Bool) throws {
    var machine = try machine(stage)
    let state = machine.snapshot.state

    #expect(cancel(&machine) == action)
    #expect(machine.snapshot == OperationSnapshot(state: state, isCancelled: isCancelled))
    #expect(cancel(&machine) == .nothing, "a second cancellation has no effect")
    #expect(machine.snapshot == OperationSnapshot(state: state, isCancelled: isCancelled))
  }

  @Test("A cancellation makes a blocked operation ready, in one change")
  func cancelBlocked() throws {
    var machine = try machine(.admitted)
    Self.apply(.unfinished, to: &machine)
    #expect(machine.snapshot == OperationSnapshot(state: .pending, isCancelled: false))

    #expect(cancel(&machine) == .notify)

    #expect(machine.snapshot == OperationSnapshot(state: .ready, isCancelled: true))
  }

  @Test(
    "The cancellation of the body's task cancels the operation, unless that has finished", arguments: Stage.allCases)
  func taskWasCancelled(stage: Stage) throws {
    var machine = try machine(stage)
    machine.taskWasCancelled()
    #expect(machine.isCancelled == !Stage.ended.contains(stage))
  }

  // MARK: The handle of the task

  @Test("The handle of the task is leased only while the body runs in a task of its own", arguments: Stage.allCases)
  func leaseTask(stage: Stage) throws {
    var machine = try machine(stage)
    #expect(machine.leaseTask() == (stage == .executing ? BodyTask.current : nil))
  }

  @Test("A body ends at once where nobody uses the handle of its task, and nobody gets that then")
  func freeTask() throws {
    var machine = try machine(.executing)
    #expect(machine.endTask() == true)
    #expect(machine.leaseTask() == nil)
    #expect(cancel(&machine) == .nothing)
    #expect(machine.isCancelled)
  }

  @Test("A body that ends while the handle of its task is used waits for the last user", arguments: 1...3)
  func usedTask(users: Int) async throws {
    var machine = try machine(.executing)
    for _ in 0..<users { #expect(machine.leaseTask() != nil) }
    #expect(machine.endTask() == false)

    await withUnsafeContinuation { waiter in
      #expect(machine.awaitTask(waiter) == true)
      #expect(machine.leaseTask() == nil, "nobody gets the handle any more")
      for _ in 1..<users { #expect(machine.releaseTask() == nil) }
      guard let waiter = machine.releaseTask() else { preconditionFailure("the waiter got lost") }
      waiter.resume()
    }
    _ = machine.publishFinish(Self.success)
    #expect(machine.isFinished)
  }

  @Test("A body does not wait where the handle was released before it came to wait")
  func releasedInTime() async throws {
    var machine = try machine(.executing)
    #expect(machine.leaseTask() != nil)
    #expect(machine.endTask() == false)
    #expect(machine.releaseTask() == nil)

    await withUnsafeContinuation { waiter in
      #expect(machine.awaitTask(waiter) == false)
      waiter.resume()
    }
    #expect(machine.leaseTask() == nil)
  }

  // MARK: Waits of the body

  @Test("An executing operation knows what its body waits for, until that wait ends")
  func wait() throws {
    var machine = try machine(.executing)
    let context = ExecutionContext(operation: operation, task: try #require(BodyTask.current))
    let (wait, other) = (
      BodyWait(of: context, for: .all(of: queue)), BodyWait(of: context, for: .all(of: queue))
    )
    #expect(machine.wait == nil)

    machine.waitBegan(wait)
    #expect(machine.wait === wait)
    machine.waitEnded(other)
    #expect(machine.wait === wait)
    machine.waitEnded(wait)

    #expect(machine.wait == nil)
  }

  @Test("The end of a wait has no effect where the body does not wait", arguments: Stage.allCases)
  func waitEnded(stage: Stage) throws {
    var machine = try machine(stage)
    let before = machine.snapshot
    let context = ExecutionContext(operation: operation, task: try #require(BodyTask.current))

    machine.waitEnded(BodyWait(of: context, for: .all(of: queue)))

    #expect(machine.wait == nil && machine.snapshot == before)
  }

  // MARK: Settings

  @Test("The priority changes until the claim (PR-07)", arguments: Stage.allCases)
  func priority(stage: Stage) throws {
    var machine = try machine(stage)
    let isChanged = Stage.unclaimed.contains(stage)

    let notified = machine.setQueuePriority(.high)

    #expect((notified === queue) == (isChanged && stage != .idle))
    #expect(machine.queuePriority == (isChanged ? .high : .normal))
    #expect(machine.setQueuePriority(machine.queuePriority) == nil, "the same level is no change")
  }

  @Test("A completion block is kept until the finish, and run at once after it", arguments: Stage.allCases)
  func completionBlock(stage: Stage) throws {
    var machine = try machine(stage)
    guard !Stage.ended.contains(stage) else {
      guard case .run(.some, let runner) = machine.setCompletionBlock(CompletionBlock { _ in }) else {
        throw Unexpected("not run")
      }
      #expect(runner === queue)
      return #expect(machine.takeFollowUps(of: AsyncOperation {}).completionCall == nil)
    }
    guard case .replaced(nil) = machine.setCompletionBlock(CompletionBlock { _ in }) else {
      throw Unexpected("not kept")
    }
    guard case .replaced(.some) = machine.setCompletionBlock(CompletionBlock { _ in }) else {
      throw Unexpected("not replaced")
    }
    #expect(machine.takeFollowUps(of: AsyncOperation {}).completionCall != nil)
  }

  @Test("Removing a completion block that was never set does not make room for one")
  func noCompletionBlock() throws {
    var machine = try machine(.idle)
    guard case .replaced(nil) = machine.setCompletionBlock(nil) else { throw Unexpected("something") }
    #expect(!machine.connections.exists)
  }

  // MARK: Escalation

  /// What follows from an escalation, in short.
  private enum Escalated: Equatable { case nothing, escalateTask, moveUp(isNotified: Bool, dependencies: Int) }

  private func escalate(_ machine: inout Machine, to priority: TaskPriority, maySetTaskPriority: Bool = true)
    -> Escalated
  {
    switch machine.escalate(
      to: priority.rawValue, from: TaskPriority.medium.rawValue, maySetTaskPriority: maySetTaskPriority, order: { 0 })
    {
    case .nothing: .nothing
    case .escalateTask(let task): task == BodyTask.current ? .escalateTask : .nothing
    case .moveUp(let told, let storages): .moveUp(isNotified: told === queue, dependencies: storages.count)
    }
  }

  @Test(
    "An escalation moves an unclaimed operation up, and raises the task of one that executes",
    arguments: [
      (.idle, .moveUp(isNotified: false, dependencies: 0)), (.enqueued, .moveUp(isNotified: true, dependencies: 0)),
      (.admitted, .moveUp(isNotified: true, dependencies: 0)), (.claimedByQueue, .nothing), (.claimedByStart, .nothing),
      (.executing, .escalateTask), (.executingInCaller, .nothing), (.finishing, .nothing), (.finished, .nothing),
    ] as [(Stage, Escalated)])
  private func escalate(stage: Stage, action: Escalated) throws {
    var machine = try machine(stage)

    #expect(escalate(&machine, to: .high) == action)

    #expect(machine.escalatedPriority == (Stage.ended.contains(stage) ? 0 : TaskPriority.high.rawValue))
    #expect(escalate(&machine, to: .high) == .nothing, "it has that priority already")
  }

  @Test("An escalation is handed on to the dependencies that have not finished")
  func escalateDependencies() throws {
    var machine = try machine(.admitted)
    Self.add(AsyncOperation {}, hasSucceeded: nil, to: &machine)
    Self.add(AsyncOperation {}, hasSucceeded: true, to: &machine)
    #expect(escalate(&machine, to: .high) == .moveUp(isNotified: true, dependencies: 1))
  }

  @Test("A priority at or below that of the body's task escalates nothing", arguments: [TaskPriority.medium, .low])
  func lowEscalation(priority: TaskPriority) throws {
    var machine = try machine(.admitted)
    #expect(escalate(&machine, to: priority) == .nothing)
    #expect(machine.escalatedPriority == 0)
  }

  @Test("The task of a body under an executor of the user's is not raised")
  func escalationUnderExecutor() throws {
    var machine = try machine(.executing)
    #expect(escalate(&machine, to: .high, maySetTaskPriority: false) == .nothing)
    #expect(machine.escalatedPriority == TaskPriority.high.rawValue)
  }

  @Test(
    "An operation is in the highest level if a task of a priority above medium awaits it, and else in its own",
    arguments: [
      (0, .veryLow, .veryLow), (TaskPriority.high.rawValue, .veryLow, .veryHigh),
      (TaskPriority.medium.rawValue, .veryLow, .veryLow), (TaskPriority.medium.rawValue, .high, .high),
    ] as [(UInt8, QueuePriority, QueuePriority)])
  func rankedPriority(escalated: UInt8, own: QueuePriority, ranked: QueuePriority) {
    var machine = Machine(body: .start {}, queuePriority: own)
    machine.escalatedPriority = escalated
    #expect(machine.rankedPriority == ranked)
    #expect(machine.queuePriority == own)
  }
}
