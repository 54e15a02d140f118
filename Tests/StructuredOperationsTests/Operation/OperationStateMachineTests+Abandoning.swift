import TestSupport
import Testing

@testable import StructuredOperations

extension OperationStateMachineTests {
  @Test("An idle operation that is freed leaves its body, dependencies, block, observer and stale dependents")
  func abandonIdle() throws {
    var machine = try machine(.idle)
    Self.add(AsyncOperation {}, hasSucceeded: nil, to: &machine)
    _ = machine.addDependent(Machine.Dependent(storage: AsyncOperation {}.storage, key: 0))
    _ = machine.setCompletionBlock(CompletionBlock { _ in })
    let observer = OperationObserverReference(EventRecorder())
    machine.observation.change { $0.made(AsyncOperation {}, observer: observer) }

    guard case .unrun(_, let left, let observation) = machine.abandon(keepsOutput: false) else {
      Issue.record("an idle operation leaves its body")
      return
    }

    #expect(left.value.rare.value.completionBlock != nil)
    #expect(left.value.dependencies.entries.count == 1 && left.value.dependents.count == 1)
    #expect(machine.dependencies.isEmpty && machine.dependents.isEmpty)
    #expect(observation.exists && !machine.observation.exists)
    #expect(machine.takeFollowUps(of: AsyncOperation {}).completionCall == nil)
  }

  @Test("An idle operation without connections leaves its body alone")
  func abandonPlain() throws {
    var machine = try machine(.idle)

    guard case .unrun(_, let left, let observation) = machine.abandon(keepsOutput: false) else {
      Issue.record("an idle operation leaves its body")
      return
    }

    #expect(!left.exists && !observation.exists && !machine.connections.exists)
  }

  @Test("A finished operation that is freed leaves its outcome, unless others read the output", arguments: Stage.ended)
  func abandonFinished(stage: Stage) throws {
    for keepsOutput in [false, true] {
      var machine = try machine(stage)

      let left = machine.abandon(keepsOutput: keepsOutput)

      if case .finished(let end, _) = left { #expect(end.outcome.isSuccess == !keepsOutput) }
      if case .unrun = left { Issue.record("a finished operation has no body") }
      #expect(machine.outcome?.isSuccess == keepsOutput)
      #expect(machine.isFinished)
      #expect(machine.isEveryoneTold == (stage == .finished))
    }
  }

  @Test("An outcome that outlived its operation is left when nothing refers to it any more")
  func end() throws {
    var machine = try machine(.finished)
    _ = machine.abandon(keepsOutput: true)

    #expect(machine.end()?.outcome.isSuccess == true)
    #expect(machine.outcome?.isSuccess == false)
  }

  @Test("A finished operation that is freed leaves its executor")
  func abandonExecutor() throws {
    var machine = try machine(.idle)
    machine.changeRare { $0.set(name: "a", executor: LabelledExecutor("a")) }
    try bring(&machine, to: .finished)

    guard case .finished(_, let left) = machine.abandon(keepsOutput: false) else {
      Issue.record("a finished operation leaves its outcome")
      return
    }

    #expect(left.value.executor != nil)
  }

  @Test("An operation that is freed while its end is told may still have its waiters told")
  func abandonFinishing() throws {
    var machine = try machine(.finishing)
    _ = machine.abandon(keepsOutput: false)

    _ = machine.tellWaiters()

    #expect(machine.isEveryoneTold)
  }
}
