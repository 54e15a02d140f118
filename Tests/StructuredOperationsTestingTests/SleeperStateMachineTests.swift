import Testing

@testable import StructuredOperationsTesting

@Suite("SleeperStateMachine")
struct SleeperStateMachineTests {
  private typealias Machine = SleeperStateMachine<String, Int>

  /// The moment so many seconds after the beginning.
  private func moment(_ seconds: Int) -> VirtualClock.Instant { VirtualClock.Instant(offset: .seconds(seconds)) }

  /// Has somebody fall asleep.
  ///
  /// - Returns: The number of the sleeper; nil if it does not sleep.
  private func sleep(_ name: String, until seconds: Int, in machine: inout Machine) -> Int? {
    let id = machine.announce()
    switch machine.sleep(id, until: moment(seconds), name) {
    case .wake(name, isCancelled: false): return nil
    case .wake(let other, let isCancelled):
      Issue.record("\(other) is woken, \(isCancelled ? "cancelled" : "not cancelled")")
      return nil
    case .sleep: return id
    }
  }

  @Test("Sleepers wake by their moments, then in the order of their numbers")
  func order() {
    var machine = Machine()
    for (name, seconds) in [("c", 3), ("a", 1), ("d", 3), ("b", 1), ("e", 9)] {
      #expect(sleep(name, until: seconds, in: &machine) != nil)
    }
    #expect(machine.advance(by: .milliseconds(999)) == [])
    #expect(machine.count == 5)
    #expect(machine.advance(by: .milliseconds(7_001)) == ["a", "b", "c", "d"])
    #expect(machine.now == moment(8) && machine.count == 1)
  }

  @Test("Nobody falls asleep until a moment that is not in the future")
  func past() {
    var machine = Machine()
    _ = machine.advance(by: .seconds(5))
    #expect(sleep("now", until: 5, in: &machine) == nil)
    #expect(sleep("before", until: 4, in: &machine) == nil)
    #expect(sleep("later", until: 6, in: &machine) != nil)
    #expect(machine.count == 1)
  }

  @Test("Going on to the next wakes all of its moment, and nobody else")
  func next() {
    var machine = Machine()
    #expect(machine.advanceToNext() == nil && machine.now == moment(0))
    for (name, seconds) in [("b", 2), ("a", 1), ("c", 2)] { _ = sleep(name, until: seconds, in: &machine) }
    #expect(machine.advanceToNext() == ["a"] && machine.now == moment(1))
    #expect(machine.advanceToNext() == ["b", "c"] && machine.now == moment(2))
    #expect(machine.advanceToNext() == nil && machine.now == moment(2))
  }

  @Test("One that is cancelled is woken once, and the others of its moment sleep on")
  func cancelling() throws {
    var machine = Machine()
    let ids = try ["a", "b", "c"].map { name in try #require(sleep(name, until: 1, in: &machine)) }
    #expect(machine.cancel(ids[1], until: moment(1)) == "b")
    #expect(machine.cancel(ids[1], until: moment(1)) == nil)
    #expect(machine.advanceToNext() == ["a", "c"])
    #expect(machine.cancel(ids[0], until: moment(1)) == nil)
  }

  @Test("One that is cancelled before it sleeps is woken at once, also where its moment has come", arguments: [0, 1])
  func cancelledBefore(seconds: Int) {
    var machine = Machine()
    let (first, second) = (machine.announce(), machine.announce())
    #expect(machine.cancel(first, until: moment(seconds)) == nil)
    guard case .wake("a", isCancelled: true) = machine.sleep(first, until: moment(seconds), "a") else {
      Issue.record("It sleeps")
      return
    }
    #expect(machine.count == 0)
    #expect(machine.cancel(first, until: moment(seconds)) == nil)
    guard case .sleep = machine.sleep(second, until: moment(1), "b") else {
      Issue.record("Another one is cancelled with it")
      return
    }
  }

  @Test("Of those with one moment, the one that was announced first wakes first, and each can be cancelled")
  func crossing() {
    var machine = Machine()
    let ids = (0..<3).map { _ in machine.announce() }
    for id in [2, 0, 1] { _ = machine.sleep(ids[id], until: moment(1), "\(id)") }
    #expect(machine.cancel(ids[1], until: moment(1)) == "1")
    #expect(machine.advanceToNext() == ["0", "2"])
  }

  @Test("Those who wait for a number of sleepers are told when there are so many, once")
  func observers() {
    var machine = Machine()
    func awaitCounts(_ counts: Int...) -> [Bool] {
      counts.enumerated().map { index, count in machine.awaitCount(machine.announce(), count, index) }
    }
    #expect(awaitCounts(0, 1, 2, 1) == [false, true, true, true])
    func told(_ action: Machine.SleepAction) -> [Int]? { if case .sleep(let tell) = action { tell } else { nil } }
    #expect(told(machine.sleep(machine.announce(), until: moment(1), "a")) == [1, 3])
    #expect(told(machine.sleep(machine.announce(), until: moment(1), "b")) == [2])
    #expect(told(machine.sleep(machine.announce(), until: moment(1), "c")) == [])
    #expect(awaitCounts(3) == [false])
  }

  @Test("Who waits for sleepers and is cancelled waits no more, also where that comes before the wait")
  func cancelledObservers() {
    var machine = Machine()
    let ids = (0..<3).map { _ in machine.announce() }
    #expect(machine.cancelAwaiting(ids[0]) == nil)
    let areKept = ids.map { machine.awaitCount($0, 1, $0) }
    #expect(areKept == [false, true, true])
    #expect(machine.cancelAwaiting(ids[1]) == ids[1])
    #expect(machine.cancelAwaiting(ids[1]) == nil)
    guard case .sleep(let tell) = machine.sleep(machine.announce(), until: moment(1), "a"), tell == [ids[2]] else {
      Issue.record("The other one is not told, or not alone")
      return
    }
    #expect(machine.cancelAwaiting(ids[2]) == nil)
  }

  @Test("Whatever happens, it does the same as a list that is sorted each time", arguments: 0..<50)
  func model(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var machine = Machine()
    var model: [(deadline: Int, id: Int)] = []
    var now = 0
    func takeModel(until limit: Int) -> [String] {
      let woken = model.filter { $0.deadline <= limit }.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
      model.removeAll { $0.deadline <= limit }
      now = limit
      return woken.map { "\($0.id)" }
    }
    for step in 0..<300 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<6:
        let deadline = now + Int.random(in: -1...9, using: &generator)
        let id = machine.announce()
        guard case .sleep = machine.sleep(id, until: moment(deadline), "\(id)") else {
          #expect(deadline <= now)
          break
        }
        #expect(deadline > now)
        model.append((deadline, id))
      case 6, 7:
        guard let entry = model.randomElement(using: &generator) else { break }
        #expect(machine.cancel(entry.id, until: moment(entry.deadline)) == "\(entry.id)")
        model.removeAll { $0.id == entry.id }
      case 8:
        let seconds = Int.random(in: 0...6, using: &generator)
        #expect(machine.advance(by: .seconds(seconds)) == takeModel(until: now + seconds), "step \(step)")
      default:
        let next = model.map(\.deadline).min()
        #expect(machine.advanceToNext() == next.map { takeModel(until: $0) }, "step \(step)")
      }
      #expect(machine.count == model.count && machine.now == moment(now))
    }
  }
}
