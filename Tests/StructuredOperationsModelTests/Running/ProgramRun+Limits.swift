import StructuredOperations
import StructuredOperationsTesting

// Concurrency limits, and what queues do by time.
extension ProgramRun {
  func addLimit(_ need: Program.LimitCost, _ id: Int) async {
    guard let operation = operation(id) else { return }
    log.append(.limitAddCalled(id, need))
    let result: Event.LimitResult
    do {
      result = try await operation.addLimit(limits[need.limit], cost: need.cost) ? .counts : .tooLate
    } catch OperationError.costExceedsLimit {
      result = .refused
    } catch {
      preconditionFailure("\(error) was thrown by addLimit")
    }
    log.append(.limitAddReturned(id, need, result))
  }

  func setCount(_ count: Int, _ limit: Int) {
    log.append(.countCalled(count, limit: limit))
    limits[limit].setCount(count)
    log.append(.countReturned(limit: limit))
  }

  func suspend(_ number: Int, for duration: Duration) async {
    log.append(.settingCalled(queue: number, .isSuspendedFor(duration)))
    await queue(number).suspend(for: duration)
    log.append(.settingReturned(queue: number))
  }

  func setStartRate(_ rate: Program.Rate?, _ number: Int) async {
    log.append(.rateCalled(queue: number, rate))
    await queue(number).setStartRate(rate?.startRate)
    log.append(.rateReturned(queue: number))
  }
}
