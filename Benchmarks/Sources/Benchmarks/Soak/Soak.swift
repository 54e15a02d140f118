import Foundation

/// Runs millions of operations and checks that the memory of the process does not grow: in queues that are cancelled,
/// suspended, resized and observed at the same time, and then a tenth as many through limits, start rates, retries and
/// time-outs on virtual clocks.
struct Soak: Sendable {
  static let defaultOperationCount = 10_000_000
  /// The number of tasks, each of which has queues of its own.
  private static let driverCount = 4
  /// The number of memory samples: one is taken after each wave, when nothing runs.
  private static let waveCount = 50

  let operationCount: Int

  /// - Returns: Whether every operation finished and the memory stayed flat.
  func run() async -> Bool {
    let isGood = await run(operationCount, by: SoakDriver.self, name: "soak")
    return await run(max(1, operationCount / 10), by: ClockSoakDriver.self, name: "soak on virtual clocks") && isGood
  }

  private func run<Driver: SoakDriving>(_ operationCount: Int, by type: Driver.Type, name: String) async -> Bool {
    let stopwatch = Stopwatch()
    let watchdog = Watchdog(patience: .seconds(120))
    var drivers = (0..<Self.driverCount).map { Driver(seed: UInt64($0)) }
    var record = MemoryRecord()
    var tally = SoakTally()
    for wave in 1...Self.waveCount {
      // Rounded up, so that at least the requested number of operations runs.
      let due = operationCount * wave / Self.waveCount - tally.finished
      let share = max(1, (due + Self.driverCount - 1) / Self.driverCount)
      await withTaskGroup(of: (Int, Driver).self) { group in
        for (index, driver) in drivers.enumerated() {
          group.addTask {
            var driver = driver
            await driver.run(count: share, inNewQueue: wave.isMultiple(of: 2))
            return (index, driver)
          }
        }
        for await (index, driver) in group { drivers[index] = driver }
      }
      tally = drivers.reduce(into: SoakTally()) { $0.add($1.tally) }
      record.takeSample()
      watchdog.reset()
    }
    let seconds = stopwatch.nanoseconds / 1e9
    let rate = String(format: "%.0f", Double(tally.finished) / seconds)
    Output.show(
      """
      \(name): \(tally.finished) operations in \(String(format: "%.0f", seconds)) s, \(rate) a second; \(tally.ran) \
      bodies ran, \(tally.churn) \(Driver.churnDescription); \(record)
      """)
    if tally.finished != tally.added {
      Output.complain("\(name): \(tally.added - tally.finished) operations have not finished")
    }
    if !record.isFlat { Output.complain("\(name): memory grew") }
    return tally.finished == tally.added && record.isFlat
  }
}
