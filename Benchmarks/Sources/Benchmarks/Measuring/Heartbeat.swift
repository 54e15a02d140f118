/// A task on the cooperative pool that is due at regular intervals and measures by how much it is late.
enum Heartbeat {
  /// The longest time between two beats during a piece of work, in nanoseconds.
  ///
  /// With a free pool it is little more than `beat`. The time from the beginning of the work to the first beat, and
  /// from the last beat to the one after the end, count too.
  static func worstGap(beat: Duration, during work: () async -> Void) async -> Double {
    let ends = Counter()
    return await withTaskGroup(of: Double.self) { group in
      let start = Stopwatch()
      group.addTask {
        var stopwatch = start
        var worst = 0.0
        repeat {
          // Never throws: nothing cancels the task.
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
