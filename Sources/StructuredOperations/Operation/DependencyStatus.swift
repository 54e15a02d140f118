/// How far a dependency has got, as far as the operation that depends on it is concerned.
enum DependencyStatus: Equatable, Sendable {
  case unfinished
  /// It has finished as required.
  case finished
  /// It has finished without the success that was required.
  case failed

  /// - Parameter hasSucceeded: Nil if it has not finished.
  init(of requirement: DependencyRequirement, hasSucceeded: Bool?) {
    self =
      switch (requirement, hasSucceeded) {
      case (_, nil): .unfinished
      case (.success, false): .failed
      case (.success, true), (.completion, _): .finished
      }
  }
}
