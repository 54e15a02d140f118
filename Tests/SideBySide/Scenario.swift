/// The same thing done with Foundation's queue and with ours, each telling in words what came of it.
struct Scenario: Sendable {
  /// What the two are expected to come to.
  enum Expectation: Sendable {
    /// Both say the same.
    case same
    /// Ours is meant to be otherwise, for this reason.
    case byDesign(String)
    /// Ours does what Apple's documentation says, and Foundation on Linux does not. This is what the page says.
    case linuxDeviates(String)
  }

  /// The row of the conformance table that is shown, in brackets in the sources.
  let row: String
  let title: String
  let expectation: Expectation
  /// Runs on a thread of its own, which may block, while the main thread runs its run loop.
  let foundation: @Sendable () -> String
  /// Runs in a detached task, while the main thread runs its run loop.
  let ours: @Sendable () async throws -> String

  init(
    _ row: String,
    _ title: String,
    _ expectation: Expectation = .same,
    foundation: @escaping @Sendable () -> String,
    ours: @escaping @Sendable () async throws -> String
  ) {
    self.row = row
    self.title = title
    self.expectation = expectation
    self.foundation = foundation
    self.ours = ours
  }
}

/// Which of the two.
enum Side: String, CaseIterable, Sendable {
  case foundation
  case ours
}
