import Foundation
package import StructuredOperations
package import Testing

/// Ends the process when no test has begun, ended or reported progress for a minute, names the running tests, and tells what
/// the operations in the queues of ``explain(_:)`` wait for.
///
/// Where everything is slower, the variable `HANG_SECONDS` of the environment says how long that may last.
/// A time limit would not do: it cancels the test, and a wait for an operation does not react to cancellation.
package struct HangGuard: SuiteTrait, TestTrait, TestScoping {
  /// How long the process may be without progress.
  package static let seconds = ProcessInfo.processInfo.environment["HANG_SECONDS"].flatMap(Int.init) ?? 60

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let id = UUID()
    HangWatch.shared.began(id, "\(test.displayName ?? test.name) (\(test.sourceLocation.fileID))")
    defer { HangWatch.shared.ended(id) }
    try await function()
  }

  /// Guards code in a process of its own, such as the body of an exit test, to which traits do not apply.
  ///
  /// - Parameter seconds: How long the process may be without progress, if not as long as others.
  package static func watch(_ name: String, seconds: Int? = nil) {
    if let seconds { HangWatch.shared.setLimit(seconds) }
    HangWatch.shared.began(UUID(), name)
  }

  /// Names one of the many things that a test runs, beside the test, should it hang.
  package static func during<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    let id = UUID()
    HangWatch.shared.began(id, name)
    defer { HangWatch.shared.ended(id) }
    return try body()
  }

  /// The same for a closure that suspends.
  package static func during<Result>(
    _ name: String,
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    let id = UUID()
    HangWatch.shared.began(id, name)
    defer { HangWatch.shared.ended(id) }
    return try await body()
  }

  /// The queues, while they exist, tell what their operations wait for should the tests hang.
  package static func explain(_ queues: AsyncOperationQueue...) { explain(queues) }

  package static func explain(_ queues: [AsyncOperationQueue]) {
    HangWatch.shared.began(queues)
  }

  /// Reports progress from a test that runs for a long time.
  package static func progress() {
    HangWatch.shared.progressed()
  }
}

extension Trait where Self == HangGuard {
  /// Guards a test, or every test of a suite, against hanging.
  package static var hangGuard: Self { Self() }
}
