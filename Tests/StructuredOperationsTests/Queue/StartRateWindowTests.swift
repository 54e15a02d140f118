import Testing

@testable import StructuredOperations

@Suite("StartRateWindow")
struct StartRateWindowTests {
  private static func window(_ count: Int, per seconds: Int, startedAt starts: [Int] = []) -> StartRateWindow {
    var window = StartRateWindow()
    window.setRate(OperationStartRate(count, per: .seconds(seconds)), at: .zero)
    for start in starts { window.started(at: .seconds(start)) }
    return window
  }

  @Test("As many as the rate says may begin at any time, and the next one when the first of them is that long ago")
  func full() {
    var window = Self.window(3, per: 10)
    for second in [1, 4, 9] {
      #expect(window.nextStart == nil)
      window.started(at: .seconds(second))
    }
    #expect(window.nextStart == .seconds(11))
    window.started(at: .seconds(11))
    #expect(window.nextStart == .seconds(14))
  }

  @Test("A stretch of any length holds")
  func longestStretch() {
    var window = StartRateWindow()
    window.setRate(OperationStartRate(1, per: Duration(attoseconds: .max)), at: .seconds(1))
    window.started(at: .seconds(2))
    #expect(window.nextStart.map { $0 > .seconds(Int64.max) } == true)
    #expect(window.possibleStarts(at: .seconds(1_000_000), upTo: 1) == 0)
    window.setRate(OperationStartRate(2, per: Duration(attoseconds: .max)), at: .seconds(3))
    window.started(at: .seconds(4))
    #expect(window.nextStart != nil)
  }

  @Test("Without a rate any number may begin, and none of them counts later")
  func noRate() {
    var window = StartRateWindow()
    for _ in 0..<9 { window.started(at: .zero) }
    #expect(window.nextStart == nil)
    window.setRate(OperationStartRate(1, per: .seconds(10)), at: .zero)
    #expect(window.nextStart == nil)
    window.started(at: .seconds(1))
    #expect(window.nextStart == .seconds(11))
  }

  @Test("What began under a rate counts again when a rate follows on none")
  func rateAfterNone() {
    var window = Self.window(2, per: 10, startedAt: [0, 3])
    window.setRate(nil, at: .seconds(4))
    #expect(window.nextStart == nil)
    window.started(at: .seconds(4))
    window.setRate(OperationStartRate(2, per: .seconds(20)), at: .seconds(5))
    #expect(window.nextStart == .seconds(20))
  }

  @Test("A start under an earlier rate stays counted, though it was none: one that was forgotten may still matter")
  func withdrawnLate() {
    var window = Self.window(3, per: 10, startedAt: [0, 1, 2])
    window.setRate(OperationStartRate(1, per: .seconds(10)), at: .seconds(2))
    window.withdrawStart(at: .seconds(2))
    #expect(window.nextStart == .seconds(12))
  }

  @Test("So it does where one under the present rate, begun at the same time, was withdrawn before")
  func withdrawnTwice() {
    var window = Self.window(2, per: 10, startedAt: [0])
    window.setRate(OperationStartRate(3, per: .seconds(10)), at: .zero)
    window.started(at: .zero)
    for _ in 0..<2 {
      window.withdrawStart(at: .zero)
      #expect(window.possibleStarts(at: .zero, upTo: 5) == 2)
    }
  }

  @Test("A start that is withdrawn does not count, and those before and after it do")
  func withdrawn() {
    var window = Self.window(3, per: 10, startedAt: [1, 2, 2])
    window.withdrawStart(at: .seconds(2))
    #expect(window.nextStart == nil)
    window.started(at: .seconds(5))
    #expect(window.nextStart == .seconds(11))
    window.started(at: .seconds(11))
    #expect(window.nextStart == .seconds(12))
    window.withdrawStart(at: .seconds(1))
    #expect(window.nextStart == .seconds(12))
  }

  @Test("Under a rate of a lower count the latest starts count, under a higher one all that were made")
  func otherCount() {
    var window = Self.window(3, per: 10, startedAt: [0, 1, 2])
    window.setRate(OperationStartRate(1, per: .seconds(10)), at: .seconds(3))
    #expect(window.nextStart == .seconds(12))
    window.setRate(OperationStartRate(4, per: .seconds(10)), at: .seconds(4))
    // When the two that were forgotten began is not known any more: no later than the third one.
    #expect(window.starts.count == 3)
    window.started(at: .seconds(4))
    #expect(window.nextStart == .seconds(12))
  }

  @Test("Under a longer stretch a start counts for that long, under a shorter one no longer than that")
  func otherDuration() {
    var window = Self.window(1, per: 10, startedAt: [5])
    window.setRate(OperationStartRate(1, per: .seconds(60)), at: .seconds(6))
    #expect(window.nextStart == .seconds(65))
    window.setRate(OperationStartRate(1, per: .seconds(2)), at: .seconds(6))
    #expect(window.nextStart == .seconds(7))
  }

  @Test("A higher count in a longer stretch takes what is forgotten to be as late as the rate of then let it be")
  func forgotten() {
    // One a second for a hundred seconds, of which only the last one is known; then sixty a minute.
    var window = Self.window(1, per: 1, startedAt: Array(0..<100))
    window.setRate(OperationStartRate(60, per: .seconds(60)), at: .seconds(99))
    #expect(window.nextStart == .seconds(100))
    window.started(at: .seconds(100))
    #expect(window.nextStart == .seconds(101))
  }

  @Test("Those of which there were none are not made up")
  func notMadeUp() {
    var window = Self.window(1, per: 1, startedAt: [0, 1, 2])
    window.setRate(OperationStartRate(5, per: .seconds(60)), at: .seconds(3))
    #expect(window.starts.count == 3)
    window.started(at: .seconds(3))
    #expect(window.nextStart == nil)
    window.started(at: .seconds(3))
    #expect(window.nextStart == .seconds(60))
  }

  @Test("It keeps no more starts than the rate counts")
  func memory() {
    var window = Self.window(4, per: 1)
    for number in 0..<10_000 { window.started(at: .seconds(number)) }
    #expect(window.starts.count == 4)
    window.setRate(OperationStartRate(2, per: .seconds(1)), at: .seconds(10_000))
    #expect(window.starts.count == 2)
    window.setRate(OperationStartRate(1_000_000, per: .seconds(1)), at: .seconds(10_000))
    #expect(window.starts.count == 2)
  }

  @Test("Of a high rate it keeps few starts that do not count any more, and all that do")
  func memoryOfHighRates() {
    var window = Self.window(1_000_000, per: 10_000)
    for number in 0..<20_000 { window.started(at: .seconds(number)) }
    #expect(window.starts.count == 10_000)
    window.setRate(OperationStartRate(1_000_000, per: .seconds(1)), at: .seconds(20_000))
    for number in 20_000..<30_000 { window.started(at: .seconds(number)) }
    #expect(window.starts.count == 1_024)
  }

  @Test("Under random loads each begins as soon as no stretch of that length has more than the rate says")
  func random() {
    for seed in UInt64(0)..<300 {
      var random = SeededGenerator(seed: seed)
      let rate = OperationStartRate(
        Int.random(in: 1...5, using: &random), per: .milliseconds(Int.random(in: 1...50, using: &random)))
      var window = StartRateWindow()
      window.setRate(rate, at: .zero)
      var starts: [Duration] = []
      var now = Duration.zero
      for _ in 0..<200 {
        now += .milliseconds(random.oneIn(3) ? 0 : Int.random(in: 0...20, using: &random))
        // The naive way: all that began less than a stretch ago.
        let recent = starts.count { $0 > now - rate.duration }
        #expect((window.nextStart ?? .zero) <= now ? recent < rate.count : recent == rate.count, "seed \(seed)")
        for count in [0, 1, 3, 64] {
          #expect(window.possibleStarts(at: now, upTo: count) == min(count, rate.count - recent), "seed \(seed)")
        }
        guard recent < rate.count else { continue }
        starts.append(now)
        window.started(at: now)
        if random.oneIn(8) {
          starts.removeLast()
          window.withdrawStart(at: now)
        }
      }
    }
  }

  @Test("Under rates that change at random the rate of the moment holds, whatever began before")
  func randomRates() {
    for seed in UInt64(0)..<500 {
      var random = SeededGenerator(seed: seed)
      var window = StartRateWindow()
      var starts: [Duration] = []
      var now = Duration.zero
      var exceeded = 0
      for _ in 0..<200 {
        if random.oneIn(12) || window.rate == nil {
          let rate = OperationStartRate(
            Int.random(in: 1...8, using: &random), per: .milliseconds(Int.random(in: 1...60, using: &random)))
          window.setRate(random.oneIn(5) ? nil : rate, at: now)
        }
        now += .milliseconds(random.oneIn(3) ? 0 : Int.random(in: 0...10, using: &random))
        guard let rate = window.rate else {
          window.started(at: now)
          continue
        }
        if let next = window.nextStart, next > now { continue }
        if starts.count(where: { $0 > now - rate.duration }) >= rate.count { exceeded += 1 }
        starts.append(now)
        window.started(at: now)
      }
      #expect(exceeded == 0, "seed \(seed)")
    }
  }
}
