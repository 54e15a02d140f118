extension OperationProtocol {
  /// What the operation depends on, in the order of addition: finished ones, too.
  ///
  /// Once the operation itself has finished, it does not hold them any more: those are listed that somebody else holds.
  public nonisolated var dependencies: [any OperationProtocol] { storage.dependencies }

  // MARK: One dependency

  /// Makes the operation wait until another has finished.
  ///
  /// ```swift
  /// try await upload.addDependency(login, requiring: .success)
  /// ```
  ///
  /// The other one may be in any queue or in none. A duplicate is one dependency, with the stronger requirement. Does not
  /// suspend.
  ///
  /// - Parameters:
  ///   - dependency: The other one.
  ///   - requirement: With ``DependencyRequirement/success``, where the other one fails or is cancelled, this one
  ///     finishes without running and without waiting for its other dependencies: at once in a queue that is not
  ///     suspended, otherwise when it is started. Its outcome is ``OperationError/dependencyFailed(on:underlying:)``.
  /// - Returns: Whether the operation has the dependency now, so that it does not begin before the other one has
  ///   finished; also where that has finished already. False where the operation was chosen to run, executes or has
  ///   finished: then nothing has changed.
  /// - Throws: ``OperationError/dependencyOnSelf``, and ``OperationError/dependencyCycle(_:)`` where the other one
  ///   depends on this one through any number of steps. Of several tasks that close a loop together exactly one throws.
  /// - Complexity: O(1) where nothing waits for the operation yet; otherwise at most twice what there is to visit
  ///   from the easier one of both ends.
  @discardableResult
  public nonisolated(nonsending) func addDependency(
    _ dependency: any OperationProtocol,
    requiring requirement: DependencyRequirement = .completion
  ) async throws -> Bool {
    try DependencyGraph.add(dependency, to: self, requirement: requirement)
  }

  /// Makes the operation wait until another has finished, from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  ///
  /// - Parameters:
  ///   - dependency: The other one.
  ///   - requirement: Whether the other one has to succeed, or only to finish.
  @discardableResult
  public nonisolated func addDependency(
    _ dependency: any OperationProtocol,
    requiring requirement: DependencyRequirement = .completion
  ) throws -> Bool {
    try DependencyGraph.add(dependency, to: self, requirement: requirement)
  }

  /// Removes a dependency, after which the operation may be ready.
  ///
  /// Nothing happens where the other one is no dependency. Does not suspend.
  ///
  /// An operation that was to be skipped, since this dependency had failed, waits for its other dependencies again, unless
  /// its queue lets it go at this moment; then nothing happens. Where the body of one of those waits for the operation, that
  /// wait could never end: it ends as any such wait does, `value` with ``OperationError/waitWouldDeadlock``, while
  /// `waitUntilFinished()` stops the program.
  ///
  /// - Parameter dependency: The other one.
  /// - Complexity: O(number of dependencies, and of dependents of the other one), and where the operation waits for others
  ///   again, as much as ``addDependency(_:requiring:)-4rv8l`` for each of these.
  public nonisolated(nonsending) func removeDependency(_ dependency: any OperationProtocol) async {
    DependencyGraph.remove(dependency, from: self)
  }

  /// Removes a dependency, from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  ///
  /// - Parameter dependency: The other one.
  public nonisolated func removeDependency(_ dependency: any OperationProtocol) {
    DependencyGraph.remove(dependency, from: self)
  }

  // MARK: Several dependencies

  /// Makes the operation wait until several others have finished.
  ///
  /// They are added one by one, each as by ``addDependency(_:requiring:)-4rv8l``. Does not suspend.
  ///
  /// - Parameters:
  ///   - dependencies: The others.
  ///   - requirement: Whether they have to succeed, or only to finish.
  /// - Throws: ``OperationError/dependencyOnSelf`` and ``OperationError/dependencyCycle(_:)``. Those given ahead of the
  ///   one at fault have been added then.
  public nonisolated(nonsending) func addDependencies(
    _ dependencies: any OperationProtocol...,
    requiring requirement: DependencyRequirement = .completion
  ) async throws {
    try DependencyGraph.add(dependencies, to: self, requirement: requirement)
  }

  /// Makes the operation wait until several others have finished, from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  ///
  /// - Parameters:
  ///   - dependencies: The others.
  ///   - requirement: Whether they have to succeed, or only to finish.
  public nonisolated func addDependencies(
    _ dependencies: any OperationProtocol...,
    requiring requirement: DependencyRequirement = .completion
  ) throws {
    try DependencyGraph.add(dependencies, to: self, requirement: requirement)
  }

  /// Makes the operation wait until all operations of an array have finished.
  ///
  /// They are added one by one, each as by ``addDependency(_:requiring:)-4rv8l``; an empty array changes nothing. Does not
  /// suspend.
  ///
  /// - Parameters:
  ///   - dependencies: The others.
  ///   - requirement: Whether they have to succeed, or only to finish.
  /// - Throws: ``OperationError/dependencyOnSelf`` and ``OperationError/dependencyCycle(_:)``. Those ahead of the one at
  ///   fault have been added then.
  public nonisolated(nonsending) func addDependencies(
    _ dependencies: [any OperationProtocol],
    requiring requirement: DependencyRequirement = .completion
  ) async throws {
    try DependencyGraph.add(dependencies, to: self, requirement: requirement)
  }

  /// Makes the operation wait until all operations of an array have finished, from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  ///
  /// - Parameters:
  ///   - dependencies: The others.
  ///   - requirement: Whether they have to succeed, or only to finish.
  public nonisolated func addDependencies(
    _ dependencies: [any OperationProtocol],
    requiring requirement: DependencyRequirement = .completion
  ) throws {
    try DependencyGraph.add(dependencies, to: self, requirement: requirement)
  }
}
