import StructuredOperations

// Waits for values, which heed cancellation.
extension Referee {
  /// A task that reads a value.
  struct Reader {
    let id: Int
    let called: Int
    /// Whether the operation had certainly finished then.
    let wasSettled: Bool
    var cancelled: Int?
    var outcome: RunRecord.Outcome?
  }

  mutating func valueCalled(_ id: Int, _ reader: Int) {
    // The task may have been cancelled before it ran.
    readers[reader] = Reader(
      id: id, called: now, wasSettled: model(id).settled != nil, cancelled: readers[reader]?.cancelled)
  }

  mutating func valueReturned(_ number: Int, _ outcome: RunRecord.Outcome, _ isFinished: Bool) {
    guard let reader = readers[number] else { return fault("reader \(number) is unknown") }
    if !isFinished, !isCancelled(number) || outcome != .cancelled {
      fault("the value of \(reader.id) came back as \(outcome) before its end")
    }
    readers[number]?.outcome = outcome
  }

  /// Whether the reader was cancelled, also before it began.
  private func isCancelled(_ number: Int) -> Bool {
    record.events.prefix(now).contains { event in
      if case .valueCancelled(reader: number) = event { true } else { false }
    }
  }

  mutating func bodyRead(_ id: Int, _ other: Int, _ outcome: RunRecord.Outcome, _ isCancelled: Bool) {
    let isRight = outcome == outcomes[other] || isCancelled && outcome == .cancelled
    if !isRight { fault("the body of \(id) read the value of \(other) as \(outcome)") }
  }

  /// Checks that, with everything idle, nobody waits for a value that is there, or was cancelled.
  mutating func checkReaders() {
    for (number, reader) in readers.sorted(by: { $0.key < $1.key }) where reader.outcome == nil {
      if model(reader.id).settled != nil { fault("a wait for the value of \(reader.id) does not come back") }
      if isCancelled(number) { fault("a cancelled wait for the value of \(reader.id) goes on") }
    }
  }

  /// Checks what readers were given in the end.
  mutating func checkReads() {
    for (number, reader) in readers.sorted(by: { $0.key < $1.key }) {
      guard let outcome = reader.outcome else {
        fault("the wait for the value of \(reader.id) has not come back")
        continue
      }
      let mayBeCancelled = isCancelled(number) && !reader.wasSettled
      if outcome != outcomes[reader.id], !(mayBeCancelled && outcome == .cancelled) {
        fault("the value of \(reader.id) was read as \(outcome)")
      }
    }
  }
}
