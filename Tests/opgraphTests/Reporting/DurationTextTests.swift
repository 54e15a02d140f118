import Testing

@testable import opgraph

@Suite("Texts of durations")
struct DurationTextTests {
  @Test(
    "A result's has milliseconds",
    arguments: [
      (.zero, "0.000 s"), (.milliseconds(7), "0.007 s"), (.milliseconds(1234), "1.234 s"), (.seconds(100), "100.000 s"),
      (.microseconds(1999_600), "2.000 s"), (.seconds(-1), "0.000 s"),
    ] as [(Duration, String)])
  func seconds(duration: Duration, text: String) {
    #expect(duration.secondsText == text)
  }

  @Test(
    "One that goes on has the two largest units",
    arguments: [
      (.milliseconds(999), "0 s"), (.seconds(59), "59 s"), (.seconds(60), "1 min 0 s"), (.seconds(125), "2 min 5 s"),
      (.seconds(3600 + 240), "1 h 4 min"),
    ] as [(Duration, String)])
  func rough(duration: Duration, text: String) {
    #expect(duration.roughText == text)
  }

  @Test(
    "A wait is told as it was set",
    arguments: [(.seconds(2), "2 s"), (.milliseconds(500), "0.5 s"), (.seconds(10), "10 s")] as [(Duration, String)])
  func wait(duration: Duration, text: String) {
    #expect(duration.waitText == text)
  }
}
