/// A task on the cooperative pool that wants to run again and again, and notices when it does not get to.
enum Heartbeat {
  /// The longest time between two beats while a piece of work goes on, in nanoseconds.
  ///
  /// It is the beat itself, and a little, where the pool is free. From the beginning of the work to the first beat, and
  /// from the last one to the one after the end, are gaps too.
  static func worstGap(beat: Duration, during work: () async -> Void) async -> Double {
    let ends = Counter()
    return await withTaskGroup(of: Double.self) { group in
      let start = Stopwatch()
      group.addTask {
        var stopwatch = start
        var worst = 0.0
        repeat {
          // Nothing cancels it.
          try? await Task.sleep(for: beat)
          worst = max(worst, stopwatch.nanoseconds)
          stopwatch = Stopwatch()
        } while ends.value == 0
        return worst
      }
      await work()
      ends.increment()
      return await group.next() ?? .nan
    }
  }
}
