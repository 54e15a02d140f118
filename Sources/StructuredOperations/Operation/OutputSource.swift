/// Where an operation's output comes from, for the body of another that depends on it.
///
/// It holds the core and not the operation: a body that held the operation would free a chain of operations
/// recursively, where the list of dependencies frees it link by link.
struct OutputSource<Output: Sendable>: Sendable {
  private let core: OperationCore

  init(_ operation: AsyncOperation<Output>) {
    core = operation.core
    core.change { $0.isSource = true }
  }

  /// - Throws: ``OperationError/notReady`` where there is none, since the dependency was removed before it finished.
  var output: Output {
    get throws {
      guard case .success(let output) = core.outcome else { throw OperationError.notReady }
      return output.value(of: Output.self)
    }
  }
}
