import Testing

@testable import StructuredOperations

@Suite("TimerScheduler")
struct TimerSchedulerTests {
  private typealias Scheduler = TimerScheduler<Int>

  @Test("What is due comes in the order of time, and of addition where times are equal")
  func order() {
    var scheduler = Scheduler()
    for (entry, seconds) in [3, 1, 2, 1].enumerated() {
      _ = scheduler.add(entry, deadline: .seconds(seconds), now: .zero)
    }

    var wake = scheduler.sleeperWoke(dueAt: .seconds(1), now: .seconds(2))
    #expect(wake.due == [1, 3, 2])
    #expect(scheduler.entryCount == 1 && scheduler.itemCount == 1)

    wake = scheduler.sleeperWoke(dueAt: .seconds(3), now: .seconds(3))
    #expect(wake.due == [0] && wake.newSleeper == nil)
    #expect(scheduler.entryCount == 0 && scheduler.itemCount == 0 && scheduler.sleepers == [])
  }

  @Test("Only what is due before every sleeper wakes needs another one")
  func sleepers() {
    var scheduler = Scheduler()
    #expect(scheduler.add(0, deadline: .seconds(5), now: .zero).newSleeper == .seconds(5))
    #expect(scheduler.add(1, deadline: .seconds(7), now: .zero).newSleeper == nil)
    #expect(scheduler.add(2, deadline: .seconds(5), now: .zero).newSleeper == nil)
    #expect(scheduler.add(3, deadline: .seconds(3), now: .zero).newSleeper == .seconds(3))
    #expect(scheduler.sleepers == [.seconds(5), .seconds(3)])
  }

  @Test("A sleeper is followed by another one where none wakes for what is left")
  func nextSleeper() {
    var scheduler = Scheduler()
    _ = scheduler.add(0, deadline: .seconds(5), now: .zero)
    _ = scheduler.add(1, deadline: .seconds(7), now: .zero)
    _ = scheduler.add(2, deadline: .seconds(3), now: .zero)

    // That of the fifth second sleeps still.
    var wake = scheduler.sleeperWoke(dueAt: .seconds(3), now: .seconds(3))
    #expect(wake.due == [2] && wake.newSleeper == nil)
    wake = scheduler.sleeperWoke(dueAt: .seconds(5), now: .seconds(6))
    #expect(wake.due == [0] && wake.newSleeper == .seconds(7))
  }

  @Test("A sleeper that wakes late serves those of later ones, which then find nothing")
  func lateSleeper() {
    var scheduler = Scheduler()
    _ = scheduler.add(0, deadline: .seconds(5), now: .zero)
    _ = scheduler.add(1, deadline: .seconds(3), now: .zero)

    #expect(scheduler.sleeperWoke(dueAt: .seconds(3), now: .seconds(9)).due == [1, 0])
    let wake = scheduler.sleeperWoke(dueAt: .seconds(5), now: .seconds(9))
    #expect(wake.due == [] && wake.newSleeper == nil)
  }

  @Test("A sleeper that wakes too early, or out of turn, leaves nobody without a sleeper")
  func earlySleeper() {
    var scheduler = Scheduler()
    _ = scheduler.add(0, deadline: .seconds(5), now: .zero)
    _ = scheduler.add(1, deadline: .seconds(3), now: .zero)

    let early = scheduler.sleeperWoke(dueAt: .seconds(3), now: .seconds(2))
    #expect(early.due == [] && early.newSleeper == .seconds(3))
    let outOfTurn = scheduler.sleeperWoke(dueAt: .seconds(5), now: .seconds(2))
    #expect(outOfTurn.due == [] && outOfTurn.newSleeper == .seconds(3))
  }

  @Test("What is removed is not due, and needs no sleeper")
  func removed() {
    var scheduler = Scheduler()
    let early = scheduler.add(0, deadline: .seconds(3), now: .zero).id
    _ = scheduler.add(1, deadline: .seconds(5), now: .zero)
    let late = scheduler.add(2, deadline: .seconds(7), now: .zero).id
    #expect(scheduler.remove(early) == 0)
    #expect(scheduler.remove(early) == nil)

    let wake = scheduler.sleeperWoke(dueAt: .seconds(3), now: .seconds(5))
    #expect(wake.due == [1])
    #expect(scheduler.remove(late) == 2)
    #expect(scheduler.sleeperWoke(dueAt: .seconds(7), now: .seconds(7)).newSleeper == nil)
  }

  @Test("Thousands that are added and removed at once share one sleeper, and leave nothing")
  func churn() {
    var scheduler = Scheduler()
    _ = scheduler.add(0, deadline: .seconds(60), now: .zero)
    for entry in 1...10_000 {
      let (id, newSleeper) = scheduler.add(entry, deadline: .seconds(60) + .milliseconds(entry), now: .zero)
      #expect(newSleeper == nil)
      _ = scheduler.remove(id)
      #expect(scheduler.itemCount <= 20)
    }
    #expect(scheduler.sleepers.count == 1 && scheduler.entryCount == 1)
  }

  @Test("Entries each of which is due before the one added before it share a few sleepers")
  func falling() {
    var scheduler = Scheduler()
    for entry in 0..<10_000 {
      let now = Duration.milliseconds(entry)
      let (id, newSleeper) = scheduler.add(entry, deadline: now + .seconds(3_600) - .seconds(entry) / 10, now: now)
      if entry < 16 { #expect(newSleeper == now + .seconds(3_600) - .seconds(entry) / 10) }
      _ = scheduler.remove(id)
    }
    #expect(scheduler.sleepers.count < 40)
  }

  @Test("A sleeper that wakes halfway is followed by others until the entry is due")
  func halfway() {
    var scheduler = Scheduler()
    for entry in 0..<16 { _ = scheduler.add(entry, deadline: .seconds(100 - entry), now: .zero) }
    var now = Duration.seconds(1)
    var newSleeper = scheduler.add(16, deadline: .seconds(9), now: now).newSleeper
    #expect(newSleeper == .seconds(5))
    var wakeCount = 0
    while let time = newSleeper {
      now = time
      let wake = scheduler.sleeperWoke(dueAt: time, now: now)
      newSleeper = wake.newSleeper
      wakeCount += 1
      if wake.due == [16] { break }
      #expect(now < .seconds(9))
    }
    #expect(now == .seconds(9) && newSleeper == nil && wakeCount < 20)
  }

  @Test("Whatever is added and removed, in any order, is due once, in time, unless it was removed", arguments: 0..<100)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var scheduler = Scheduler()
    var now = Duration.zero
    var expected: [Int: (id: Scheduler.ID, deadline: Duration)] = [:]
    var sleeping: [Duration] = []
    func wake(_ index: Int, now seen: Duration) {
      let (due, newSleeper) = scheduler.sleeperWoke(dueAt: sleeping.remove(at: index), now: seen)
      if let newSleeper { sleeping.append(newSleeper) }
      for entry in due { #expect(expected.removeValue(forKey: entry).map { $0.deadline <= seen } == true) }
    }
    for entry in 0..<500 {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0...3:
        let deadline = now + .microseconds(Int.random(in: 1...200_000, using: &generator))
        let (id, newSleeper) = scheduler.add(entry, deadline: deadline, now: now)
        expected[entry] = (id, deadline)
        if let newSleeper { sleeping.append(newSleeper) }
      case 4:
        guard let (entry, value) = expected.sorted(by: { $0.key < $1.key }).randomElement(using: &generator) else {
          continue
        }
        expected[entry] = nil
        #expect(scheduler.remove(value.id) == entry)
      case 5 where !sleeping.isEmpty:
        // Too early, out of turn, or with a time that was read long before.
        wake(
          Int.random(in: sleeping.indices, using: &generator),
          now: now - .milliseconds(Int.random(in: 0...9, using: &generator)))
      default:
        now += .microseconds(Int.random(in: 0...50_000, using: &generator))
        while let index = sleeping.firstIndex(where: { $0 <= now }) { wake(index, now: now) }
        #expect(expected.values.allSatisfy { $0.deadline > now })
      }
      #expect(scheduler.entryCount == expected.count)
      #expect(zip(scheduler.sleepers, scheduler.sleepers.dropFirst()).allSatisfy { $0 > $1 })
      #expect(scheduler.sleepers.allSatisfy(sleeping.contains))
      // Somebody wakes in time for the first of them.
      if let first = expected.values.map(\.deadline).min() {
        #expect(scheduler.sleepers.last.map { $0 <= first } == true)
      }
    }
  }
}
