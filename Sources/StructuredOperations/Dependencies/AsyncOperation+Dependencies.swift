extension AsyncOperation {
  /// What the operation depends on, in the order of addition: finished ones, too.
  ///
  /// Once the operation itself has finished, it does not hold them any more: those are listed that somebody else holds.
  /// Does not suspend.
  public nonisolated(nonsending) var dependencies: [any OperationProtocol] {
    get async { storage.dependencies }
  }

  /// Makes the operation wait until another has finished.
  ///
  /// The other one may be in any queue or in none. A duplicate is one dependency, with the stronger requirement. On an
  /// operation that executes or has finished this has no effect. Does not suspend.
  ///
  /// O(1) where nothing waits for the operation yet; otherwise at most twice what there is to visit from the easier one
  /// of both ends.
  ///
  /// - Parameters:
  ///   - dependency: The other one.
  ///   - requirement: With ``DependencyRequirement/success``, where the other one fails or is cancelled, this one
  ///     finishes without running and without waiting for its other dependencies: at once in a queue that is not
  ///     suspended, otherwise when it is started. Its outcome is ``OperationError/dependencyFailed(on:underlying:)``.
  /// - Throws: ``OperationError/dependencyOnSelf``, and ``OperationError/dependencyCycle(_:)`` where the other one
  ///   depends on this one through any number of steps. Of several tasks that close a loop together exactly one throws.
  public nonisolated(nonsending) func addDependency(
    _ dependency: any OperationProtocol,
    requiring requirement: DependencyRequirement
  ) async throws {
    try DependencyGraph.add(dependency, to: self, requirement: requirement)
  }

  /// Removes a dependency, after which the operation may be ready.
  ///
  /// Nothing happens where the other one is no dependency. Does not suspend. O(number of dependencies, and of dependents
  /// of the other one).
  public nonisolated(nonsending) func removeDependency(_ dependency: any OperationProtocol) async {
    DependencyGraph.remove(dependency, from: self)
  }
}
