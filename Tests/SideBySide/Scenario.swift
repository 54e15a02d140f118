/// The same behaviour tried with Foundation's queue and with this package's; each closure describes the outcome in
/// words.
struct Scenario: Sendable {
  /// How the two outcomes are expected to relate.
  enum Expectation: Sendable {
    /// Both outcomes are equal.
    case same
    /// This package differs on purpose, for this reason.
    case byDesign(String)
    /// This package does what Apple's documentation says, and Foundation on Linux does not; the text quotes the
    /// documentation.
    case linuxDeviates(String)
  }

  /// The row of the list of behaviours in `.ci/conformance-rows.txt`.
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

/// Which of the two queues.
enum Side: String, CaseIterable, Sendable {
  case foundation
  case ours
}
