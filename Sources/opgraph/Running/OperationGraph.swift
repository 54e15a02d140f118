import StructuredOperations

/// The operations of a graph, with their dependencies.
struct OperationGraph: Sendable {
  let operations: [AsyncOperation<Void>]

  /// Throws ``InputError`` if the graph has a cycle; runs no operation.
  ///
  /// Each pool becomes a limit, of which its operations take one place each while they run.
  ///
  /// - Parameter operation: Makes the operation of the node at an index.
  init(_ graph: Graph, operation: (_ index: Int) -> AsyncOperation<Void>) async throws {
    operations = graph.nodes.indices.map(operation)
    let byID = Dictionary(uniqueKeysWithValues: zip(graph.nodes.map(\.id), operations))
    let pools = Dictionary(
      uniqueKeysWithValues: graph.pools.map { ($0.name, ConcurrencyLimit($0.depth, name: $0.name)) })
    for (node, operation) in zip(graph.nodes, operations) {
      for pool in node.pools.compactMap({ pools[$0] }) { try await operation.addLimit(pool) }
      for dependency in node.after.compactMap({ byID[$0] }) {
        do {
          try await operation.addDependency(dependency, requiring: .success)
        } catch OperationError.dependencyOnSelf {
          throw InputError("dependency cycle: \(node.id) -> \(node.id)")
        } catch OperationError.dependencyCycle(let path) {
          throw InputError("dependency cycle: \(Self.loop(path.map { $0.name ?? "?" }))")
        }
      }
    }
  }

  /// The names on a cycle, with the first repeated at the end.
  ///
  /// Only the first names of a long cycle are listed, as in the library's own messages.
  private static func loop(_ names: [String]) -> String {
    let shown = 20
    let rest = names.count > shown ? ["… (\(names.count - shown) more)"] : []
    return (names.prefix(shown) + rest + names.prefix(1)).joined(separator: " -> ")
  }

  /// Cancels the operations that `isIncluded` says.
  func cancel(_ isIncluded: (AsyncOperation<Void>) -> Bool) {
    for operation in operations where isIncluded(operation) { operation.cancel() }
  }

  /// Which operations have finished without running their commands, and why; once all have finished.
  ///
  /// Asked at the end, because an observer or a completion block would cost each operation memory, those that run
  /// included.
  ///
  /// What depends on a failure could not have run in any case, so it is told with that also where it was cancelled for the failure.
  ///
  /// - Parameters:
  ///   - cancellation: Why those have been cancelled that were.
  ///   - isInterrupted: Whether an operation has finished as cancelled, but its command was running.
  func notRun(
    cancelledBy cancellation: NotRunReason, except isInterrupted: (_ id: String) -> Bool
  ) -> [(id: String, reason: NotRunReason)] {
    let roots = rootsOfFailures
    return operations.compactMap { operation in
      guard var reason = NotRunReason(operation.outcome, cancellation: cancellation) else { return nil }
      let id = operation.name ?? "?"
      if isInterrupted(id) { return nil }
      if reason == cancellation, let root = roots[ObjectIdentifier(operation)] {
        reason = .dependencyFailed(root: root)
      }
      return (id, reason)
    }
  }

  /// By operation, the one that has failed of those it depends on, directly or not; of several the first in the order of the graph.
  private var rootsOfFailures: [ObjectIdentifier: String] {
    let failed = operations.filter(\.hasFailedItself)
    if failed.isEmpty { return [:] }
    var dependents: [ObjectIdentifier: [AsyncOperation<Void>]] = [:]
    for operation in operations {
      for dependency in operation.dependencies {
        dependents[ObjectIdentifier(dependency), default: []].append(operation)
      }
    }
    var roots: [ObjectIdentifier: String] = [:]
    for root in failed {
      var open = [root]
      while let next = open.popLast() {
        for dependent in dependents[ObjectIdentifier(next)] ?? [] where roots[ObjectIdentifier(dependent)] == nil {
          roots[ObjectIdentifier(dependent)] = root.name ?? "?"
          open.append(dependent)
        }
      }
    }
    return roots
  }
}

extension AsyncOperation<Void> {
  /// Whether its command has failed, and not one that it depends on.
  fileprivate nonisolated var hasFailedItself: Bool {
    switch outcome {
    case .failure(OperationError.dependencyFailed), .success, .cancelled, nil: false
    case .failure: true
    }
  }
}

extension NotRunReason {
  fileprivate init?(_ outcome: OperationOutcome<Void>?, cancellation: NotRunReason) {
    switch outcome {
    case .cancelled, .failure(OperationError.dependencyFailed(on: _, underlying: is CancellationError)):
      self = cancellation
    case .failure(OperationError.dependencyFailed(on: let root, underlying: _)):
      self = .dependencyFailed(root: root.name ?? "?")
    case .success, .failure, nil:
      return nil
    }
  }
}
