import Testing
import TestSupport

@testable import opgraph

@Suite("Report")
struct ReportTests {
  private func result(
    _ ending: CommandEnding, wasSignalled: Bool = false, after duration: Duration = .milliseconds(1234)
  ) -> CommandResult {
    CommandResult(ending: ending, wasSignalled: wasSignalled, duration: duration, output: nil)
  }

  @Test("Each event is a line, and the results stand in a column")
  func lines() {
    var report = Report(ids: ["a", "compile"])

    #expect(report.line(for: .started(id: "compile")) == "start      compile")
    #expect(
      report.line(for: .ended(id: "compile", result(.exited(status: 0))))
        == "done       compile     1.234 s  exit status 0")
    #expect(
      report.line(for: .ended(id: "a", result(.exited(status: 2), after: .seconds(100))))
        == "failed     a         100.000 s  exit status 2")
  }

  @Test("What was not run says why")
  func notRun() {
    var report = Report(ids: ["a", "b"])

    #expect(report.line(for: .notRun(id: "a", .dependencyFailed(root: "x"))) == "skipped    a  (x failed)")
    #expect(report.line(for: .notRun(id: "b", .cancelled)) == "cancelled  b  (not run)")
  }

  @Test("An operation cancelled while it ran is told and counted once")
  func cancelledOnce() {
    var report = Report(ids: ["a"])

    #expect(
      report.line(for: .ended(id: "a", result(.killed(signal: 15), wasSignalled: true)))
        == "cancelled  a     1.234 s  killed by signal 15")
    #expect(report.line(for: .notRun(id: "a", .cancelled)) == nil)
    #expect(report.summary(after: .seconds(1)) == "1 operation: 0 done, 0 failed, 0 skipped, 1 cancelled, 1.000 s")
  }

  @Test("A command that succeeds although it was told to stop is done")
  func successAfterSignal() {
    var report = Report(ids: ["a"])

    _ = report.line(for: .ended(id: "a", result(.exited(status: 0), wasSignalled: true)))

    #expect(report.isSuccess)
  }

  @Test("The summary counts every operation, and cancelled ones where there are any")
  func summary() {
    var report = Report(ids: ["a", "b", "c"])
    #expect(!report.isSuccess)

    _ = report.line(for: .ended(id: "a", result(.exited(status: 0))))
    _ = report.line(for: .ended(id: "b", result(.killed(signal: 9))))
    _ = report.line(for: .notRun(id: "c", .dependencyFailed(root: "b")))

    #expect(report.summary(after: .milliseconds(520)) == "3 operations: 1 done, 1 failed, 1 skipped, 0.520 s")
    #expect(!report.isSuccess)
  }

  @Test("A very long identifier pushes nobody else's result away")
  func longIdentifier() {
    var report = Report(ids: ["a", String(repeating: "x", count: 1000)])
    let line = report.line(for: .notRun(id: "a", .cancelled))
    #expect(line == "cancelled  a" + String(repeating: " ", count: 33) + "(not run)")
  }

  @Test("A run of nothing is a success")
  func empty() {
    let report = Report(ids: [])
    #expect(report.isSuccess)
    #expect(report.summary(after: .zero) == "0 operations: 0 done, 0 failed, 0 skipped, 0.000 s")
  }
}
