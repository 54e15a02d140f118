import Testing

@testable import opgraph

@Suite("StatusLine")
struct StatusLineTests {
  private var line = StatusLine()
  private var tally = Tally(Graph("compile a.c", "link b", "c", "d"))

  private mutating func receive(_ event: RunEvent, at time: Duration) {
    tally.received(event)
    line.received(event, at: time)
  }

  private func text(at time: Duration, columns: Int = 80) -> String { line.text(tally, at: time, columns: columns) }

  @Test("It counts, and names what runs, that first which has run the longest")
  mutating func contents() {
    #expect(text(at: .zero) == "[0/4] 0 running, 0 s")
    receive(.started(id: "c"), at: .zero)
    receive(.started(id: "compile a.c"), at: .seconds(11))
    receive(.ended(id: "c", .success), at: .seconds(12))
    receive(.started(id: "link b"), at: .seconds(13))
    #expect(text(at: .milliseconds(14_900)) == "[1/4] 2 running, 14 s: compile a.c (3 s), link b (1 s)")
    receive(.ended(id: "link b", .failure), at: .seconds(15))
    receive(.notRun(id: "d", .dependencyFailed(root: "link b")), at: .seconds(15))
    #expect(text(at: .seconds(15)) == "[3/4] 1 running, 1 failed, 15 s: compile a.c (4 s)")
  }

  @Test("What pauses between attempts does not run")
  mutating func pause() {
    receive(.started(id: "c"), at: .zero)
    receive(.retrying(id: "c", .failure, attempt: 1, delay: .seconds(5)), at: .seconds(2))
    #expect(text(at: .seconds(3)) == "[0/4] 0 running, 3 s")
    receive(.resumed(id: "c"), at: .seconds(7))
    #expect(text(at: .seconds(8)) == "[0/4] 1 running, 8 s: c (1 s)")
  }

  @Test("It leaves the last column free, whatever the characters")
  mutating func cut() {
    receive(.started(id: "日本語のファイル"), at: .zero)
    for columns in 1...60 {
      #expect(text(at: .zero, columns: columns).displayWidth <= columns - 1)
    }
    #expect(text(at: .zero, columns: 29) == "[0/4] 1 running, 0 s: 日本…")
    #expect(text(at: .zero, columns: 30) == "[0/4] 1 running, 0 s: 日本語…")
  }

  @Test("Hundreds of commands are no more work than a line holds")
  mutating func many() {
    for index in 0..<600 { receive(.started(id: "\(index)"), at: .milliseconds(index)) }
    #expect(text(at: .seconds(1), columns: 50) == "[0/4] 600 running, 1 s: 0 (1 s), 1 (0 s), 2 (0 s…")
  }
}
