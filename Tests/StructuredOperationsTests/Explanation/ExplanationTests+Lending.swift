import StructuredOperations
import TestSupport
import Testing

import class StructuredOperationsTesting.ManualExecutor

extension ExplanationTests {
  /// What bodies wait for, and what they have meanwhile.
  @Suite("Waits and what is lent", .hangGuard)
  struct Lending {
    typealias Operations = [AsyncOperation<Void>]

    /// Programs in which a body waits and everything ends by itself.
    enum Program: CaseIterable {
      case value, run, everything, everythingWithDependent, limit, limitOfTwoQueues, scope

      func operations(in queue: AsyncOperationQueue) async throws -> Operations {
        switch self {
        case .value:
          let inner = AsyncOperation(name: "inner") { await Task.yield() }
          return [AsyncOperation(name: "outer") { try await inner.value }, inner]
        case .run: return [AsyncOperation(name: "outer") { try await queue.run(name: "nested") { await Task.yield() } }]
        case .everything: return [AsyncOperation(name: "w") { await queue.waitUntilAllOperationsAreFinished() }]
        case .everythingWithDependent:
          let waiting = AsyncOperation(name: "w") { await queue.waitUntilAllOperationsAreFinished() }
          let dependent = AsyncOperation(name: "d") { await Task.yield() }
          try await dependent.addDependency(waiting)
          return [waiting, dependent]
        case .limit, .limitOfTwoQueues:
          let limit = ConcurrencyLimit(1)
          let inner = AsyncOperation(name: "inner") { await Task.yield() }
          let outer = AsyncOperation(name: "outer") { try await inner.value }
          for operation in [outer, inner] { try await operation.addLimit(limit) }
          return [outer, inner]
        case .scope:
          let outer = AsyncOperation<Void>(name: "outer") {
            try await withOperationQueue { scope in _ = await scope.add(name: "inner") { await Task.yield() } }
          }
          return [outer]
        }
      }
    }

    private func add(_ program: Program, _ width: Int, _ executor: ManualExecutor) async throws -> (Operations, [Weak])
    {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: width, executor: executor)
      let other = AsyncOperationQueue(maxConcurrentOperationCount: width, executor: executor)
      let operations = try await program.operations(in: queue)
      await queue.add(operations[0])
      for operation in operations.dropFirst() {
        await (program == .limitOfTwoQueues ? other : queue).add(operation)
      }
      return (operations, [Weak(queue), Weak(other)])
    }

    @Test("No loop is told at any moment of a wait that ends", arguments: Program.allCases, [1, 2])
    func moments(program: Program, width: Int) async throws {
      for seed in UInt64(0)..<300 {
        var generator = SeededGenerator(seed: seed)
        let executor = ManualExecutor()
        func step() {
          let count = executor.jobCount
          if count > 0 { executor.step(at: Int.random(in: 0..<count, using: &generator)) }
        }
        let (operations, queues) = try await add(program, width, executor)
        for _ in 0..<seed % 40 { step() }
        let told = Locked<[String]>([])
        let asking = Task(executorPreference: executor) {
          for operation in operations {
            let words = await operation.explanation.description
            told.withLock { $0.append(words) }
          }
        }
        while operations.contains(where: { !$0.isFinished }) || told.current.count < operations.count {
          step()
          if executor.jobCount == 0 { await Task.yield() }
        }
        await asking.value
        // The jobs of its workers have to run, too, or they would never be freed.
        while queues.contains(where: { $0.object != nil }) {
          step()
          if executor.jobCount == 0 { await Task.yield() }
        }
        for words in told.current { #expect(!words.contains(/loop|each other|itself/), "seed \(seed)") }
      }
    }

    @Test("Who is in line for a limit behind another one goes back to all that this one waits for")
    func behindInLine() async throws {
      let (queue, wide, narrow) = (AsyncOperationQueue(), ConcurrencyLimit(3), ConcurrencyLimit(1))
      let holders = ["one", "two", "three"].map { Blocker(name: $0) }
      for holder in holders.dropLast() { try await holder.operation.addLimit(wide) }
      try await holders[2].operation.addLimit(narrow)
      for holder in holders { await queue.add(holder.operation) }
      for holder in holders { await holder.begun.wait() }
      let (ahead, behind) = (AsyncOperation(name: "ahead") {}, AsyncOperation(name: "behind") {})
      try await ahead.addLimit(wide, cost: 2)
      try await ahead.addLimit(narrow)
      try await behind.addLimit(wide)
      await queue.add(ahead, behind)

      for operation in [ahead, behind] {
        let roots = await operation.explanation.rootCauses
        #expect(Set(roots.map(\.name)) == ["one", "two", "three"], "\(operation)")
      }
      for holder in holders { holder.release.open() }
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("Where one needs all of a limit, each of those that have it is a cause by itself")
    func wholeLimit() async throws {
      let (queue, limit) = (AsyncOperationQueue(), ConcurrencyLimit(2))
      let (big, holder) = (AsyncOperation(name: "big") {}, Blocker(name: "holder"))
      let waiting = AsyncOperation(name: "waiting") {
        async let wait: Void = big.waitUntilFinished(); await wait
      }
      try await big.addLimit(limit, cost: 2)
      for operation in [waiting, holder.operation] { try await operation.addLimit(limit) }
      await queue.add(waiting, holder.operation)
      await holder.begun.wait()
      #expect(await eventually { await waiting.explanation.kinds == ["executing", "waiting"] })
      await queue.add(big)

      #expect(await eventually { await Set(big.explanation.rootCauses.map(\.name)) == ["waiting", "holder"] })
      limit.setCount(3)
      holder.release.open()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("Where there is one slot, and two are in use still, each of both is a cause by itself")
    func loweredWidth() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
      let (late, holder) = (AsyncOperation(name: "late") {}, Blocker(name: "holder"))
      let waiting = AsyncOperation(name: "waiting") {
        async let wait: Void = late.waitUntilFinished(); await wait
      }
      await queue.add(waiting, holder.operation)
      await holder.begun.wait()
      #expect(await eventually { await waiting.explanation.kinds == ["executing", "waiting"] })
      try await queue.setMaxConcurrentOperationCount(1)
      await queue.add(late)

      #expect(await Set(late.explanation.rootCauses.map(\.name)) == ["waiting", "holder"])
      try await queue.setMaxConcurrentOperationCount(2)
      holder.release.open()
      await queue.waitUntilAllOperationsAreFinished()
    }
  }
}
