extension OperationProtocol {
  /// Makes the operation wait until another has finished, whatever its outcome.
  ///
  /// - Throws: ``OperationError/dependencyOnSelf`` and ``OperationError/dependencyCycle(_:)``.
  public nonisolated(nonsending) func addDependency(_ dependency: any OperationProtocol) async throws {
    try await addDependency(dependency, requiring: .completion)
  }

  /// Makes the operation wait until several others have finished, whatever their outcomes.
  ///
  /// - Throws: ``OperationError/dependencyOnSelf`` and ``OperationError/dependencyCycle(_:)``. Those given ahead of the
  ///   one at fault have been added then.
  public nonisolated(nonsending) func addDependencies(_ dependencies: any OperationProtocol...) async throws {
    for dependency in dependencies { try await addDependency(dependency) }
  }
}
