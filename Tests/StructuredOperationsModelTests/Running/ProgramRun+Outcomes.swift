import StructuredOperations

extension ProgramRun {
  static func outcome(of operation: any OperationProtocol, _ id: Int) -> RunRecord.Outcome {
    if let operation = operation as? AsyncOperation<Int> { return outcome(operation.outcome, id) }
    guard let operation = operation as? AsyncOperation<Void> else { return .none }
    if case .success = operation.outcome { return .success }
    return unsuccessful(operation.outcome, id)
  }

  static func outcome(_ outcome: OperationOutcome<Int>?, _ id: Int) -> RunRecord.Outcome {
    if case .success(let output) = outcome { return output == id ? .success : .otherSuccess }
    return unsuccessful(outcome, id)
  }

  /// What a task that reads the value of an operation gets.
  static func value(of operation: any OperationProtocol, _ id: Int) async -> RunRecord.Outcome {
    do {
      if let operation = operation as? AsyncOperation<Int> {
        return try await operation.value == id ? .success : .otherSuccess
      }
      try await (operation as? AsyncOperation<Void>)?.value
      return .success
    } catch is CancellationError {
      return .cancelled
    } catch {
      return unsuccessful(OperationOutcome<Void>.failure(error), id)
    }
  }

  /// How a call of `run` or `runBarrier` whose closure may throw the failure of `id` has come back with an error.
  static func callResult(_ error: any Error, _ id: Int) -> Event.CallResult {
    switch error {
    case is CancellationError: .cancelled
    case let failure as Failure: failure.id == id ? .thrown : .other
    case let error as OperationError: .refused(error)
    default: .other
    }
  }

  /// How the scope has come back with an error.
  func scopeResult(_ error: any Error) -> Event.ScopeResult {
    if error is CancellationError { return .cancelled }
    if let failure = error as? Failure { return failure.id == -1 ? .thrown : .failed([failure.id]) }
    let same = operations.filter { id, operation in
      let outcome = Self.outcome(of: operation, id)
      return outcome.isFailure && outcome == Self.unsuccessful(OperationOutcome<Void>.failure(error), id)
    }
    return .failed(Set(same.keys))
  }

  static func unsuccessful<Output>(_ outcome: OperationOutcome<Output>?, _ id: Int) -> RunRecord.Outcome {
    switch outcome {
    case .success, nil: .none
    case .cancelled: .cancelled
    case .failure(let error as Failure): error == Failure(id: id) ? .failure : .otherFailure
    case .failure(OperationError.dependencyCycle(let path)):
      path.map(\.name).contains("\(id)") ? .failure : .otherFailure
    case .failure(OperationError.dependencyFailed(let root, let underlying)):
      .dependencyFailed(root: root.name.flatMap { Int($0) } ?? -1, isCancellation: underlying is CancellationError)
    case .failure(let error as OperationError): .operationError(error)
    case .failure: .otherFailure
    }
  }
}
