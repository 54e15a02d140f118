public import StructuredOperations
import Synchronization

/// Notes what operations do, and when, so that it can be looked at afterwards.
///
/// ```swift
/// let journal = OperationJournal()
/// let queue = AsyncOperationQueue(name: "images", observer: journal)
/// await queue.addAndWait(operations)
/// print(journal.history.summary)
/// try Data(journal.history.html().utf8).write(to: page)
/// ```
///
/// One journal may observe any number of queues, scopes and operations. It keeps no operation and no queue alive.
/// Noting an event takes a short lock; its cost does not depend on the number of operations noted, but for the first event after
/// ``history`` was read, which copies them. An operation that is started by hand is noted from its start on.
public final class OperationJournal: OperationObserver, Sendable {
  private let clock: JournalClock
  private let machine: JournalLock<JournalStateMachine>
  /// What happened while another thread had the machine, which notes it before it goes on.
  ///
  /// So no thread waits for the machine: where many do, each of them has to be woken, and with four bodies at a time an
  /// operation took three times as long.
  private let late: JournalMutex<[JournalInput]>
  private let hasLate = Atomic(false)

  /// Makes a journal.
  ///
  /// - Parameters:
  ///   - capacity: How many operations it keeps, from 0 on: where there are more, finished ones are forgotten, those
  ///     that finished first ahead of others, and counted (``OperationHistory/forgottenCount``). Unfinished ones always stay,
  ///     and count: where as many wait as it keeps, no finished one is kept.
  ///   - clock: Tells the time, which begins now.
  public init(capacity: Int = 10_000, clock: any Clock<Duration> = ContinuousClock()) {
    if capacity < 0 { fatalError("A journal cannot keep \(capacity) operations: expected 0 or more.") }
    self.clock = JournalClock(clock)
    machine = JournalLock(JournalStateMachine(capacity: capacity))
    late = JournalMutex([])
  }

  /// What has been noted so far.
  ///
  /// May be read at any time, on any thread. What the calling thread knows of has been noted: of an operation that it
  /// has waited for, the end.
  ///
  /// - Complexity: O(n log n) in the number of operations; under the lock it takes O(1), and the event after it O(n).
  public var history: OperationHistory {
    let time = clock.elapsed
    let (copy, noted) = machine.withLock { machine in
      let noted = noteLate(&machine)
      return (machine, noted)
    }
    // Operations may be freed with it, which must not happen under the lock.
    _ = consume noted
    noteLateOnes()
    return copy.history(at: time)
  }

  /// Notes an event; queues and operations call it.
  ///
  /// - Parameter event: What has happened.
  public func observe(_ event: OperationEvent) {
    let input = JournalInput(event, at: clock.elapsed)
    let noted = machine.withLockIfAvailable { machine in
      let noted = noteLate(&machine)
      machine.note(input)
      return noted
    }
    if noted == nil {
      late.withLock { inputs in
        inputs.append(input)
        hasLate.store(true, ordering: .sequentiallyConsistent)
      }
    }
    noteLateOnes()
  }

  /// Notes what others could not, unless somebody has the machine, who does it in turn.
  ///
  /// Nothing is left: whoever finds the machine taken has put its event down before, and who has it looks for events
  /// after having given it back.
  private func noteLateOnes() {
    while hasLate.load(ordering: .sequentiallyConsistent) {
      let noted = machine.withLockIfAvailable { noteLate(&$0) }
      if noted == nil { return }
    }
  }

  /// - Returns: What was noted, to be freed outside of the lock.
  private func noteLate(_ machine: inout JournalStateMachine) -> [JournalInput] {
    guard hasLate.load(ordering: .sequentiallyConsistent) else { return [] }
    let inputs = late.withLock { inputs in
      let taken = inputs
      inputs = []
      hasLate.store(false, ordering: .sequentiallyConsistent)
      return taken
    }
    for input in inputs { machine.note(input) }
    return inputs
  }
}
