import Testing

@testable import StructuredOperations

@Suite("QueueMailbox")
struct QueueMailboxTests {
  private typealias Mailbox = QueueMailbox<Int, String>

  /// What the runner is doing when something is posted.
  enum Runner: CaseIterable { case none, awake, asleep }

  /// What a wake comes to, in comparable form.
  enum Wake: Equatable {
    case nothing, refuse, startRunner, takeTurn, resume(String)

    init(_ action: QueueMailbox<Int, String>.WakeAction) {
      switch action {
      case .nothing: self = .nothing
      case .refuse: self = .refuse
      case .startRunner: self = .startRunner
      case .takeTurn: self = .takeTurn
      case .resume(let sleeper): self = .resume(sleeper)
      }
    }
  }

  private static func mailbox(_ runner: Runner, hasFreeSlot: Bool = true, isSuspended: Bool = false) -> Mailbox {
    var mailbox = Mailbox(hasRunner: runner != .none, hasFreeSlot: hasFreeSlot, isSuspended: isSuspended)
    if runner == .asleep { #expect(mailbox.sleep("sleeper") == true) }
    return mailbox
  }

  private static func closed() -> Mailbox {
    var mailbox = mailbox(.awake)
    #expect(mailbox.close() == true)
    return mailbox
  }

  /// All that urgency depends on.
  private static let needs: [(need: Mailbox.Need, hasFreeSlot: Bool, isSuspended: Bool, isUrgent: Bool)] = [
    (.slot, true, false, true), (.slot, true, true, true), (.slot, false, false, false), (.slot, false, true, false),
    (.unsuspended, true, false, true), (.unsuspended, true, true, false), (.unsuspended, false, false, true),
    (.unsuspended, false, true, false),
    (.turn, true, false, true), (.turn, true, true, true), (.turn, false, false, true), (.turn, false, true, true),
    (.nothing, true, false, false), (.nothing, true, true, false), (.nothing, false, false, false),
    (.nothing, false, true, false),
  ]

  @Test(
    "What is added to a cancelled scope needs a turn in any case, and what was added just before cannot wait either")
  func cancelledScope() {
    var mailbox = Self.mailbox(.awake, hasFreeSlot: false)
    _ = mailbox.postAddition(1, need: .slot)
    #expect(mailbox.turnEnded(hasFreeSlot: false, isSuspended: false) == false)
    mailbox.cancel()
    #expect(mailbox.turnEnded(hasFreeSlot: false, isSuspended: false) == true)
    _ = mailbox.collect()
    #expect(mailbox.sleep("sleeper") == true)
    #expect(Wake(mailbox.post(2, need: .slot)) == .nothing)
    #expect(Wake(mailbox.postAddition(3, need: .slot)) == .resume("sleeper"))
  }

  @Test("An event wakes the runner only where it can have an effect, if that is not awake; a poster may replace it")
  func waking() {
    for row in Self.needs {
      for runner in Runner.allCases {
        for replacesRunner in [false, true] {
          var mailbox = Self.mailbox(runner, hasFreeSlot: row.hasFreeSlot, isSuspended: row.isSuspended)
          var addition = mailbox

          let wake = Wake(mailbox.post(1, need: row.need, replacesRunner: replacesRunner))
          let additionWake = Wake(addition.postAddition(1, need: row.need, replacesRunner: replacesRunner))

          let expected: Wake =
            switch (runner, row.isUrgent) {
            case (_, false), (.awake, true): .nothing
            case (.none, true): replacesRunner ? .takeTurn : .startRunner
            case (.asleep, true): .resume("sleeper")
            }
          #expect(wake == expected, "\(row), runner \(runner), \(replacesRunner)")
          #expect(additionWake == expected, "\(row), runner \(runner), \(replacesRunner)")
          #expect(mailbox.collect() == [1], "\(row), runner \(runner), \(replacesRunner)")
        }
      }
    }
  }

  @Test(
    "What needs a turn before that of a poster has come starts the runner: that one may wait for a thread others hold")
  func beforeThePostersTurn() {
    var mailbox = Self.mailbox(.none)
    #expect(Wake(mailbox.post(1, need: .slot, replacesRunner: true)) == .takeTurn)
    var woken = mailbox

    #expect(!mailbox.hasRunner)
    #expect(Wake(mailbox.post(2, need: .nothing, replacesRunner: true)) == .nothing)
    #expect(Wake(mailbox.post(3, need: .slot, replacesRunner: true)) == .startRunner)
    #expect(Wake(mailbox.post(4, need: .turn)) == .nothing)
    #expect(mailbox.hasRunner)

    #expect(Wake(woken.wake()) == .startRunner)
    #expect(Wake(woken.wake()) == .nothing)
  }

  @Test("Once a turn has come, the queue is without a runner again, and the next poster has another one taken")
  func afterThePostersTurn() {
    var mailbox = Self.mailbox(.none)
    #expect(Wake(mailbox.post(1, need: .slot, replacesRunner: true)) == .takeTurn)

    #expect(mailbox.collect() == [1])
    #expect(mailbox.turnEnded(hasFreeSlot: true, isSuspended: false) == false)
    #expect(!mailbox.hasRunner)
    #expect(mailbox.wakeSleeper() == nil)
    #expect(Wake(mailbox.post(2, need: .slot, replacesRunner: true)) == .takeTurn)

    #expect(mailbox.collect() == [2])
    #expect(Wake(mailbox.wake()) == .startRunner)
    #expect(mailbox.collect() == [])
    #expect(mailbox.hasRunner)
  }

  @Test("Whether there is a free slot or a suspension is what the last turn said, not the first")
  func lastTurn() {
    for row in Self.needs {
      var mailbox = Self.mailbox(.awake, hasFreeSlot: !row.hasFreeSlot, isSuspended: !row.isSuspended)
      #expect(mailbox.turnEnded(hasFreeSlot: row.hasFreeSlot, isSuspended: row.isSuspended) == false)
      #expect(mailbox.sleep("sleeper") == true)

      let wake = Wake(mailbox.post(1, need: row.need))

      #expect(wake == (row.isUrgent ? .resume("sleeper") : .nothing), "\(row)")
    }
  }

  @Test(
    "A runner that is awake neither sleeps nor stops while there is an urgent event, and does both once it is collected"
  )
  func urgentEvents() {
    for row in Self.needs {
      var mailbox = Self.mailbox(.awake, hasFreeSlot: row.hasFreeSlot, isSuspended: row.isSuspended)
      _ = mailbox.post(1, need: row.need)
      var (sleeping, stopping) = (mailbox, mailbox)

      #expect(sleeping.sleep("sleeper") == !row.isUrgent, "\(row)")
      #expect(stopping.stop() == !row.isUrgent, "\(row)")

      #expect(mailbox.collect() == [1])
      #expect(mailbox.turnEnded(hasFreeSlot: true, isSuspended: false) == false)
      (sleeping, stopping) = (mailbox, mailbox)
      #expect(sleeping.sleep("sleeper") == true, "\(row)")
      #expect(stopping.stop() == true, "\(row)")
    }
  }

  @Test("Events that woke nobody are not lost: the next turn collects them, in the order of posting")
  func patientEvents() {
    var mailbox = Self.mailbox(.asleep, hasFreeSlot: false)
    #expect(Wake(mailbox.post(1, need: .slot)) == .nothing)
    #expect(Wake(mailbox.post(2, need: .nothing)) == .nothing)
    #expect(Wake(mailbox.post(3, need: .turn)) == .resume("sleeper"))

    #expect(mailbox.collect() == [1, 2, 3])
    #expect(mailbox.collect() == [])
  }

  @Test("Events that were posted during a turn ask for another one where the turn freed a slot or resumed the queue")
  func duringTurn() {
    for row in Self.needs {
      for (hasFreeSlot, isSuspended) in [(false, false), (true, false), (false, true)] {
        var mailbox = Self.mailbox(.awake, hasFreeSlot: row.hasFreeSlot, isSuspended: row.isSuspended)
        #expect(mailbox.collect() == [])
        _ = mailbox.post(1, need: row.need)

        let isDue = row.isUrgent || hasFreeSlot || row.isSuspended && !isSuspended
        #expect(mailbox.turnEnded(hasFreeSlot: hasFreeSlot, isSuspended: isSuspended) == isDue, "\(row)")
        #expect(mailbox.sleep("sleeper") == !isDue, "\(row)")
        #expect(mailbox.collect() == [1], "\(row)")
        #expect(mailbox.turnEnded(hasFreeSlot: true, isSuspended: false) == false, "\(row)")
      }
    }
  }

  @Test("One wake is enough: a runner that was started or resumed is awake")
  func once() {
    var (none, asleep) = (Self.mailbox(.none), Self.mailbox(.asleep))
    #expect(Wake(none.post(1, need: .turn)) == .startRunner)
    #expect(Wake(asleep.post(1, need: .turn)) == .resume("sleeper"))

    #expect(Wake(none.post(2, need: .turn)) == .nothing)
    #expect(Wake(asleep.post(2, need: .turn)) == .nothing)
    #expect(Wake(none.wake()) == .nothing)
    #expect(Wake(asleep.wake()) == .nothing)
  }

  @Test(
    "A wake without an event starts or resumes the runner as an event does",
    arguments: [(.none, .startRunner), (.awake, .nothing), (.asleep, .resume("sleeper"))] as [(Runner, Wake)])
  func wakeAlone(runner: Runner, wake: Wake) {
    var mailbox = Self.mailbox(runner)

    #expect(Wake(mailbox.wake()) == wake)
  }

  @Test("A runner that is asked for a turn takes one before it sleeps or stops", arguments: Runner.allCases)
  func turnRequested(runner: Runner) {
    var mailbox = Self.mailbox(runner)
    let wake = Wake(mailbox.requestTurn())
    #expect(wake == (runner == .none ? .startRunner : runner == .awake ? .nothing : .resume("sleeper")))
    #expect(mailbox.sleep("sleeper") == false)
    #expect(mailbox.stop() == false)

    #expect(mailbox.collect() == [])
    #expect(mailbox.turnEnded(hasFreeSlot: true, isSuspended: false) == false)
    #expect(mailbox.sleep("sleeper") == true)
  }

  @Test("What nobody waits for is left to a runner that is awake, where no event would have to wait for that")
  func leftToRunner() {
    for runner in Runner.allCases {
      #expect(Self.mailbox(runner).mayLeaveToRunner == (runner == .awake), "\(runner)")
    }
    var (awake, replaced) = (Self.mailbox(.awake), Self.mailbox(.none))
    _ = awake.post(1, need: .nothing)
    #expect(!awake.mayLeaveToRunner)
    _ = awake.collect()
    #expect(awake.mayLeaveToRunner)
    _ = replaced.post(1, need: .slot, replacesRunner: true)
    #expect(!replaced.mayLeaveToRunner)
  }

  @Test(
    "Waking the sleeper alone starts no runner",
    arguments: [(.none, nil), (.awake, nil), (.asleep, "sleeper")] as [(Runner, String?)])
  func wakeSleeper(runner: Runner, sleeper: String?) {
    var mailbox = Self.mailbox(runner)

    #expect(mailbox.wakeSleeper() == sleeper)
    #expect(mailbox.wakeSleeper() == nil)
  }

  @Test("A runner that has stopped is started again")
  func restart() {
    var mailbox = Self.mailbox(.awake)
    #expect(mailbox.stop() == true)

    #expect(Wake(mailbox.post(1, need: .slot)) == .startRunner)
  }

  @Test("A closed mailbox refuses all events, and wakes nobody", arguments: Mailbox.Need.all)
  private func closedRefuses(need: Mailbox.Need) {
    var mailbox = Self.closed()

    #expect(mailbox.isClosed)
    #expect(Wake(mailbox.post(1, need: need)) == .refuse)
    #expect(mailbox.collect() == [])
    #expect(Wake(mailbox.wake()) == .nothing)
    #expect(mailbox.wakeSleeper() == nil)
  }

  @Test("A mailbox with any event, urgent or not, stays open until that is collected", arguments: Mailbox.Need.all)
  private func closeWithEvents(need: Mailbox.Need) {
    var mailbox = Self.mailbox(.awake, hasFreeSlot: false, isSuspended: true)
    _ = mailbox.post(1, need: need)

    #expect(mailbox.close() == false)
    #expect(!mailbox.isClosed)
    #expect(mailbox.collect() == [1])
    #expect(mailbox.close() == true)
    #expect(mailbox.isClosed)
  }
}

extension QueueMailbox.Need {
  fileprivate static var all: [Self] { [.slot, .unsuspended, .turn, .nothing] }
}
