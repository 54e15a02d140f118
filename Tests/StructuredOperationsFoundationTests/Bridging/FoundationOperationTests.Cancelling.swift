import Foundation
import StructuredOperations
import StructuredOperationsFoundation
import Testing
import TestSupport

@Suite("FoundationOperation, cancelling", .hangGuard)
struct FoundationOperationCancellingTests {
  let queue = OperationQueue()

  @Test("cancelling the old one while ours runs cancels ours and its task")
  func executing() async {
    let begun = Gate()
    let operation = AsyncOperation {
      begun.open()
      let cancelled = Gate()
      await withTaskCancellationHandler {
        await cancelled.wait()
      } onCancel: {
        cancelled.open()
      }
      try Task.checkCancellation()
    }
    let old = FoundationOperation(operation)
    queue.addOperation(old)
    await begun.wait()
    old.cancel()
    #expect(operation.isCancelled)
    #expect(old.isCancelled)
    await old.end()
    #expect(old.error is CancellationError)
  }

  @Test("cancelling ours cancels the old one")
  func ours() async {
    let blocker = Blocker()
    let old = FoundationOperation(blocker.operation)
    queue.addOperation(old)
    await blocker.begun.wait()
    blocker.operation.cancel()
    #expect(old.isCancelled)
    blocker.release.open()
    await old.end()
    #expect(old.error == nil)
  }

  @Test("cancelled, it is kept until what it depends on has finished", arguments: [false, true])
  func keptForDependency(isOursCancelled: Bool) async {
    let dependencies = [await OldOperation.executing(), await OldOperation.executing()]
    let finished: Weak
    do {
      let operation = AsyncOperation {}
      let old = FoundationOperation(operation)
      for dependency in dependencies { old.addDependency(dependency) }
      queue.addOperation(old)
      if isOursCancelled { operation.cancel() } else { old.cancel() }
      await old.end()
      finished = Weak(old)
    }
    await expectKept(finished, until: dependencies)
  }

  @Test("cancelled before it begins, it finishes without ours having run", arguments: [false, true])
  func unrun(isOursCancelled: Bool) async {
    let ran = Locked(0)
    let operation = AsyncOperation { ran.increment() }
    let old = FoundationOperation(operation)
    if isOursCancelled { operation.cancel() } else { old.cancel() }
    #expect(old.isCancelled)
    #expect(operation.isCancelled)
    #expect(!old.isFinished)
    queue.addOperation(old)
    await old.end()
    #expect(ran.current == 0)
    #expect(operation.outcome?.isCancelled == true)
    #expect(old.error is CancellationError)
  }

  @Test("cancelling ours lets the old one through in spite of old dependencies")
  func pastOldDependencies() async {
    let never = OldOperation()
    let operation = AsyncOperation { 1 }
    let old = FoundationOperation(operation)
    old.addDependency(never)
    queue.addOperation(old)
    operation.cancel()
    await old.end()
    #expect(operation.outcome?.isCancelled == true)
    #expect(!never.isFinished)
  }

  @Test("cancelling the old one lets it through in spite of dependencies of ours")
  func pastOurDependencies() async throws {
    let never = AsyncOperation {}
    let operation = AsyncOperation { 1 }
    try await operation.addDependency(never)
    let old = FoundationOperation(operation)
    queue.addOperation(old)
    old.cancel()
    await old.end()
    #expect(operation.outcome?.isCancelled == true)
    #expect(!never.isFinished)
  }

  @Test("cancelling the old queue cancels all of ours in it")
  func wholeQueue() async {
    queue.maxConcurrentOperationCount = 2
    let blockers = (0..<20).map { _ in Blocker() }
    let olds = blockers.map { FoundationOperation($0.operation) }
    for old in olds { queue.addOperation(old) }
    await blockers[0].begun.wait()
    await blockers[1].begun.wait()
    queue.cancelAllOperations()
    for blocker in blockers { blocker.release.open() }
    for old in olds { await old.end() }
    #expect(blockers.allSatisfy { $0.operation.isCancelled })
    #expect(blockers.dropFirst(2).allSatisfy { !$0.begun.isOpen })
  }

  @Test("a failed dependency of ours is its error, and ours does not run")
  func failedDependency() async throws {
    let dependency = AsyncOperation<Int> { throw Failure(code: 9) }
    let operation = AsyncOperation(after: dependency) { $0 }
    let old = FoundationOperation(operation)
    queue.addOperation(old)
    let new = AsyncOperationQueue()
    await new.add(dependency)
    await old.end()
    let root = (old.error as? OperationError)?.root
    #expect(root?.operation === dependency)
    #expect(root?.underlying as? Failure == Failure(code: 9))
  }

  @Test("a finished one is kept by nobody")
  func leaks() async {
    let gone = Gate()
    func run() async -> Weak {
      let canary = Canary(gone)
      let old = FoundationOperation(AsyncOperation { canary.sing() })
      queue.addOperation(old)
      await old.end()
      return Weak(old)
    }
    let old = await run()
    await gone.wait()
    #expect(await eventually { old.object == nil })
  }

  @Test("one that nobody runs goes away while ours is held, and leaves nothing behind")
  func leaksUnrun() async {
    let gone = Gate()
    func make() -> (AsyncOperation<Void>, Weak) {
      let canary = Canary(gone)
      let operation = AsyncOperation { canary.sing() }
      return (operation, Weak(FoundationOperation(operation)))
    }
    func run() async {
      let (operation, old) = make()
      #expect(await eventually { old.object == nil })
      #expect(operation.state == .ready)
    }
    await run()
    await gone.wait()
  }
}
