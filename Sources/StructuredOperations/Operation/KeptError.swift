/// An error that names operations, as an outcome keeps it: without holding them.
///
/// Example: a child task of A's body makes X depend on A, while A waits for X. The body rethrows the error, whose path
/// names X and A. If the outcome of A held that path, A would hold itself, and X, which may hold A as its dependency:
/// neither would ever be freed.
struct KeptError: Error {
  private struct Link: Sendable {
    private weak var operation: (any OperationProtocol)?
    private let name: String?
    private let site: CreationSite

    init(_ operation: any OperationProtocol) {
      self.operation = operation
      name = operation.name
      site = operation.storage.site
    }

    var named: any OperationProtocol {
      operation
        ?? AsyncOperation<Void>(
          .start {}, isAsynchronous: true, name: name, queuePriority: .normal, taskPriority: 0, executor: nil,
          madeAt: site)
    }
  }

  private enum Content: Sendable {
    case cycle([Link])
    case dependencyFailed(on: Link, underlying: any Error)
  }

  private let content: Content

  /// What the outcome of an operation keeps of an error.
  static func keeping(_ error: any Error, of storage: OperationStorage) -> any Error {
    switch error as? OperationError {
    case .dependencyCycle(let path): return KeptError(content: .cycle(path.map(Link.init)))
    case .dependencyFailed(let root, let underlying):
      let underlying = keeping(underlying, of: storage)
      if root.storage === storage {
        return KeptError(content: .dependencyFailed(on: Link(root), underlying: underlying))
      }
      return OperationError.dependencyFailed(on: root, underlying: underlying)
    default: return error
    }
  }

  /// The error as it was.
  ///
  /// An operation that has been freed since is represented by a new one of the same name and place, which never runs.
  static func restored(_ error: any Error) -> any Error {
    if case OperationError.dependencyFailed(let root, let underlying) = error {
      return OperationError.dependencyFailed(on: root, underlying: restored(underlying))
    }
    switch (error as? KeptError)?.content {
    case .cycle(let path): return OperationError.dependencyCycle(path.map(\.named))
    case .dependencyFailed(let root, let underlying):
      return OperationError.dependencyFailed(on: root.named, underlying: restored(underlying))
    case nil: return error
    }
  }
}
