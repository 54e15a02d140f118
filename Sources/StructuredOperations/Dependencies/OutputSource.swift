/// Where the output or the outcome of an operation comes from, for the body of another that depends on it.
///
/// It holds the storage and not the operation: bodies that hold operations would free a chain of them recursively,
/// while the list of dependencies frees it link by link. The operation is in that list, with its output, until the body has
/// ended; or else it was removed from it, and its storage keeps the output: ``OperationStorage/keepOutput()``.
struct OutputSource<Output: Sendable>: Sendable {
  private let storage: OperationStorage

  init(_ operation: AsyncOperation<Output>) { storage = operation.storage }

  /// - Throws: ``OperationError/notReady`` where the dependency was removed before it finished, whether or not it has since.
  var output: Output {
    get throws {
      guard !isLost, case .success(let output) = storage.outcome else { throw OperationError.notReady }
      return output.value(of: Output.self)
    }
  }

  /// - Throws: ``OperationError/notReady`` where the dependency was removed before it finished. It may have been freed without
  ///   having run.
  var outcome: OperationOutcome<Output> {
    get throws {
      guard !isLost, let outcome = storage.outcome?.typed(as: Output.self) else { throw OperationError.notReady }
      return outcome
    }
  }

  /// Whether the operation whose body reads it has lost the dependency.
  private var isLost: Bool {
    guard let reader = ExecutionContext.current?.operation.storage else { return false }
    return reader.read { $0.hasLost(ObjectIdentifier(storage)) }
  }
}
