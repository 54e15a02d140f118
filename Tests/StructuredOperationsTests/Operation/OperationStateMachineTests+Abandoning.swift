import Testing

@testable import StructuredOperations

extension OperationStateMachineTests {
  @Test("An idle operation that is freed leaves its body, its dependencies, its block and stale dependents")
  func abandonIdle() throws {
    var machine = try machine(.idle)
    Self.add(AsyncOperation {}, hasSucceeded: nil, to: &machine)
    _ = machine.addDependent(Machine.Dependent(storage: AsyncOperation {}.storage, key: 0))
    _ = machine.setCompletionBlock {}

    let remains = machine.abandon()

    #expect(remains.body != nil && remains.completionBlock != nil && remains.outcome == nil)
    #expect(remains.dependencies.count == 1 && remains.dependents.count == 1)
    #expect(machine.dependencies.isEmpty && machine.dependents.isEmpty)
    #expect(machine.takeFollowUps().completionBlock == nil)
  }

  @Test("An idle operation without connections leaves its body alone")
  func abandonPlain() throws {
    var machine = try machine(.idle)

    let remains = machine.abandon()

    #expect(remains.body != nil && remains.dependencies.isEmpty && remains.dependents.isEmpty)
    #expect(!machine.connections.exists)
  }

  @Test("A finished operation that is freed leaves its outcome, unless others read the output", arguments: Stage.ended)
  func abandonFinished(stage: Stage) throws {
    for keepsOutput in [false, true] {
      var machine = try machine(stage)
      if keepsOutput { machine.keepOutput() }

      let remains = machine.abandon()

      #expect(remains.body == nil)
      #expect((remains.outcome?.isSuccess == true) == !keepsOutput)
      #expect(machine.outcome?.isSuccess == keepsOutput)
      #expect(machine.isFinished)
      #expect(machine.isEveryoneTold == (stage == .finished))
    }
  }

  @Test("An operation that is freed while its end is told may still have its waiters told")
  func abandonFinishing() throws {
    var machine = try machine(.finishing)
    _ = machine.abandon()

    _ = machine.tellWaiters()

    #expect(machine.isEveryoneTold)
  }
}
