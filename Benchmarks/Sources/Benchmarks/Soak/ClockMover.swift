import StructuredOperationsTesting

/// Moves a virtual clock on, to one sleeper after the other.
enum ClockMover {
  /// Moves the clock as soon as somebody sleeps, until a piece of work has ended.
  static func move(_ clock: VirtualClock, during work: () async -> Void) async {
    let ends = Counter()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while ends.value == 0 {
          await clock.waitForSleepers(1)
          clock.advanceToNext()
        }
      }
      await work()
      ends.increment()
      // Nobody may sleep any more for whom the mover could go on and see the end.
      group.addTask { try? await clock.sleep(for: .seconds(1)) }
      await group.next()
      group.cancelAll()
    }
  }
}
