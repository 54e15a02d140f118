import Testing

@testable import opgraph

@Suite("CommandTimes")
struct CommandTimesTests {
  @Test("All attempts are work, and what is between them is not")
  func attempts() {
    var times = CommandTimes(Graph("b", "a"))
    times.received(.started(id: "a"))
    let failure = CommandResult.result(.exited(status: 1), after: .seconds(2))
    times.received(.retrying(id: "a", failure, attempt: 1, delay: .seconds(10)))
    times.received(.retrying(id: "a", failure, attempt: 2, delay: .seconds(20)))
    times.received(.ended(id: "a", .result(.exited(status: 0), after: .seconds(3))))
    times.received(.ended(id: "b", .result(.exited(status: 0), after: .seconds(5))))
    #expect(times.work == [.seconds(5), .seconds(7)])
    #expect([0, 1].map(times.pauses) == [.zero, .seconds(30)])
  }

  @Test("What did not run has none")
  func notRun() {
    var times = CommandTimes(Graph("a"))
    times.received(.notRun(id: "a", .upToDate))
    #expect(times.work == [.zero])
  }
}
