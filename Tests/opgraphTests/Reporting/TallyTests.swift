import Testing

@testable import opgraph

@Suite("Tally")
struct TallyTests {
  @Test("What was cancelled is counted by whether its command ran")
  func cancelled() {
    var tally = Tally(Graph("a", "b", "c"))
    tally.received(.ended(id: "a", .result(.killed(signal: 15), wasSignalled: true)))
    for id in ["b", "c"] { tally.received(.notRun(id: id, .cancelled)) }
    #expect((tally.cancelledRunning, tally.cancelledWaiting) == (1, 2))
    #expect(!tally.isSuccess)
  }

  @Test("Whatever its result, an operation that has one is finished")
  func finished() {
    let events: [RunEvent] = [
      .ended(id: "a", .success), .ended(id: "a", .failure), .ended(id: "a", .allowedFailure),
      .ended(id: "a", .result(.killed(signal: 15), wasSignalled: true)), .notRun(id: "a", .cancelled),
      .notRun(id: "a", .failureLimit),
      .notRun(id: "a", .upToDate), .notRun(id: "a", .dependencyFailed(root: "b")),
    ]
    for event in events {
      var tally = Tally(Graph("a"))
      tally.received(.started(id: "a"))
      #expect(tally.finished == 0)
      tally.received(event)
      #expect(tally.finished == 1)
    }
  }

  @Test("A command that succeeds although it was told to stop is done")
  func successAfterSignal() {
    var tally = Tally(Graph("a"))
    tally.received(.ended(id: "a", .result(.exited(status: 0), wasSignalled: true)))
    #expect(tally.isSuccess)
  }

  @Test("What is up to date, and a failure that is allowed, leave the run a success")
  func success() {
    var tally = Tally(Graph("a", "b", "c"))
    tally.received(.notRun(id: "a", .upToDate))
    tally.received(.ended(id: "b", .allowedFailure))
    #expect(!tally.isSuccess)
    tally.received(.ended(id: "c", .success))
    #expect(tally.isSuccess)
    #expect((tally.upToDate, tally.failedAllowed, tally.done, tally.failed) == (1, 1, 1, 0))
  }

  @Test("What was skipped is counted for each operation whose failure it was")
  func skipped() {
    var tally = Tally(Graph("a", "b", "c", "d", "e"))
    for (id, root) in [("a", "x"), ("b", "y"), ("c", "x")] {
      tally.received(.notRun(id: id, .dependencyFailed(root: root)))
    }
    #expect(tally.skipped.map(\.root) == ["x", "y"])
    #expect(tally.skipped.map(\.count) == [2, 1])
    #expect(tally.skippedCount == 3)
  }

  @Test("A run of nothing is a success")
  func empty() {
    #expect(Tally(Graph()).isSuccess)
  }
}
