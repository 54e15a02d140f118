import StructuredOperations
import StructuredOperationsTesting

extension ProgramRun {
  /// Performs a step; calls that may take long are made in tasks of their own.
  func perform(_ step: Program.Step) async {
    switch step {
    case .add(let id, let queue, let form): await add([id], queue, form, isBatch: false)
    case .batch(let ids, let queue, let form): await add(ids, queue, form, isBatch: true)
    case .barrier(let id, let queue, let yields, let isThrowing, let limits):
      await addBarrier(id, queue, yields, isThrowing, limits)
    case .barrierCall(let id, let queue, let yields, let isThrowing, let limits):
      callBarrier(id, queue, yields, isThrowing, limits)
    case .cancelBarrier(let id): cancelBarrier(id)
    case .call(let id, let queue, let yields, let isThrowing, let limits): call(id, queue, yields, isThrowing, limits)
    case .cancelCall(let id): cancelCall(id)
    case .close(let queue):
      log.append(.closeCalled(queue: queue))
      self.queue(queue).close()
      log.append(.closeReturned(queue: queue))
    case .depend(let id, let other, let requirement): await depend(id, on: other, requirement)
    case .undepend(let id, let other): await undepend(id, on: other)
    case .cancel(let id):
      guard let operation = operation(id) else { return }
      let wasFinished = operation.isFinished
      log.append(.cancelCalled(id))
      operation.cancel()
      log.append(.cancelReturned(id, wasFinished: wasFinished))
    case .cancelAll(let queue):
      log.append(.cancelAllCalled(queue: queue))
      await self.queue(queue).cancelAllOperations()
      log.append(.cancelAllReturned(queue: queue))
    case .suspend(let queue):
      log.append(.settingCalled(queue: queue, .isSuspended(true)))
      await self.queue(queue).suspend()
      log.append(.settingReturned(queue: queue))
    case .resume(let queue):
      log.append(.settingCalled(queue: queue, .isSuspended(false)))
      await self.queue(queue).resume()
      log.append(.settingReturned(queue: queue))
    case .limit(let limit, let queue):
      log.append(.settingCalled(queue: queue, .limit(limit)))
      try? await self.queue(queue).setMaxConcurrentOperationCount(limit)
      log.append(.settingReturned(queue: queue))
    case .addLimit(let id, let need): await addLimit(need, id)
    case .setCount(let count, let limit): setCount(count, limit)
    case .suspendFor(let milliseconds, let queue): await suspend(queue, for: .milliseconds(milliseconds))
    case .startRate(let rate, let queue): await setStartRate(rate, queue)
    case .sleep(let milliseconds): try? await clock?.sleep(for: .milliseconds(milliseconds))
    case .start(let id): spawn { _ = await self.start(id) }
    case .observe(let id, let count): observe(id, upTo: count)
    case .wait(let id): wait(id)
    case .value(let id, let reader): read(id, reader)
    case .cancelValue(let reader): cancelReader(reader)
    case .waitForAll(let queue): waitForAll(queue)
    case .priority(let id, let priority):
      guard let operation = operation(id) else { return }
      log.append(.priorityCalled(id, priority))
      await operation.setQueuePriority(priority)
      log.append(.priorityReturned(id))
    case .release(let id):
      log.append(.released(id))
      gates[id]?.open()
    case .completionBlock(let id): await setCompletionBlock(id)
    case .cancelScope: cancelScope()
    case .pause(let yields): for _ in 0..<yields { await Task.yield() }
    case .settle: await settle()
    }
  }

  // MARK: Queues

  private func add(_ ids: [Int], _ number: Int, _ form: Program.AddForm, isBatch: Bool) async {
    let added = ids.compactMap { operation($0) }
    guard added.count == ids.count, let first = added.first else { return }
    let (queue, call) = (queue(number), log.number())
    log.append(.addCalled(call, ids: ids, queue: number))
    let result: Event.AddResult
    switch form {
    case .asynchronous:
      result = .count(isBatch ? await queue.add(added) : await queue.add(first) ? 1 : 0)
    case .synchronous:
      result = .count(isBatch ? addNow(added, to: queue) : addNow(first, to: queue) ? 1 : 0)
    case .strict:
      do {
        if isBatch { try await queue.enqueue(added) } else { try await queue.enqueue(first) }
        result = .count(ids.count)
      } catch let error as OperationError {
        result = .refused(error)
      } catch {
        preconditionFailure("\(error) was thrown by enqueue")
      }
    }
    log.append(.addReturned(call, result))
  }

  /// A synchronous function, so that the compiler chooses the synchronous overload.
  private func addNow(_ operation: any OperationProtocol, to queue: AsyncOperationQueue) -> Bool {
    queue.add(operation)
  }

  private func addNow(_ operations: [any OperationProtocol], to queue: AsyncOperationQueue) -> Int {
    queue.add(operations)
  }

  private func waitForAll(_ number: Int) {
    let (queue, wait) = (queue(number), log.number())
    spawn { [self] in
      log.append(.queueWaitCalled(wait, queue: number))
      await queue.waitUntilAllOperationsAreFinished()
      log.append(.queueWaitReturned(wait, unfinished: Set(operations.keys).subtracting(finished)))
    }
  }

  // MARK: Operations

  private func depend(_ id: Int, on other: Int, _ requirement: DependencyRequirement) async {
    guard let operation = operation(id), let dependency = self.operation(other) else { return }
    log.append(.dependCalled(id, on: other))
    let result: Event.DependResult
    do {
      try await operation.addDependency(dependency, requiring: requirement)
      result = .added(isListed: operation.dependencies.contains { $0 === dependency })
    } catch OperationError.dependencyOnSelf {
      result = .onSelf
    } catch OperationError.dependencyCycle(let path) {
      result = .loop(path.map { $0.name.flatMap { Int($0) } ?? -1 })
    } catch {
      preconditionFailure("\(error) was thrown by addDependency")
    }
    log.append(.dependReturned(id, on: other, requirement, result))
  }

  private func undepend(_ id: Int, on other: Int) async {
    guard let operation = operation(id), let dependency = self.operation(other) else { return }
    log.append(.undependCalled(id, on: other))
    await operation.removeDependency(dependency)
    log.append(.undependReturned(id, on: other))
  }

  /// Calls `start()` of an operation.
  ///
  /// - Returns: The error that it threw.
  func start(_ id: Int) async -> OperationError? {
    guard let operation = operation(id) else { return nil }
    log.append(.startCalled(id))
    do {
      try await operation.start()
      log.append(.startReturned(id, nil, isFinished: operation.isFinished))
      return nil
    } catch let error as OperationError {
      log.append(.startReturned(id, error, isFinished: operation.isFinished))
      return error
    } catch {
      preconditionFailure("\(error) was thrown by start")
    }
  }

  private func wait(_ id: Int) {
    guard let operation = operation(id) else { return }
    let number = log.number()
    log.append(.waitCalled(id, number: number))
    spawn { [self] in
      await operation.waitUntilFinished()
      log.append(.waitReturned(id, number: number, isFinished: operation.isFinished, pending: pending))
    }
  }

  private func read(_ id: Int, _ reader: Int) {
    guard let operation = operation(id) else { return }
    spawnReader(reader) { [self] in
      log.append(.valueCalled(id, reader: reader))
      let outcome = await Self.value(of: operation, id)
      log.append(.valueReturned(id, reader: reader, outcome, isFinished: operation.isFinished))
    }
  }

  private func setCompletionBlock(_ id: Int) async {
    guard let operation = operation(id) else { return }
    let number = log.number()
    let wasFinished = operation.isFinished
    // The block captures its operation: this tests that the cycle is broken when the block runs.
    if number.isMultiple(of: 2), let operation = operation as? AsyncOperation<Int> {
      await operation.setCompletionBlock { [self] outcome in
        let given = Self.outcome(outcome, id)
        log.append(.blockRan(id, number: number, isFinished: operation.isFinished, outcome: given))
      }
    } else {
      await operation.setCompletionBlock { [self] in
        log.append(.blockRan(id, number: number, isFinished: operation.isFinished, outcome: nil))
      }
    }
    log.append(.blockSet(id, number: number, wasFinished: wasFinished, isFinished: operation.isFinished))
  }
}
