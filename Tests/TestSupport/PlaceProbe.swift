/// An actor that tells whether what it calls runs on it.
package actor PlaceProbe {
  private let executor = ActorExecutor()

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  package init() {}

  /// Whether the caller runs on an actor of this type.
  package static var isHere: Bool { ActorExecutor.isCurrent }

  /// Calls a function on the actor.
  ///
  /// - Returns: Whether the actor runs what comes before it, what the function says, and what comes after it.
  package func places(
    around function: nonisolated(nonsending) @Sendable () async throws -> [Bool]
  ) async rethrows -> [Bool] {
    // Asked first: Swift 6.3 has a method that only awaits a function of its caller's isolation begin anywhere.
    let before = Self.isHere
    let places = try await function()
    return [before] + places + [Self.isHere]
  }
}
