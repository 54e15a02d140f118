import Dispatch
import Foundation

/// Measures the queue of this package against a hand-written task group, Foundation's queue, and Dispatch.
///
/// The main function is synchronous and the work runs in a detached task: an asynchronous main function would run on
/// the main actor, and switching to and from that costs more than what is measured.
@main
enum Benchmarks {
  static func main() {
    let options: Options
    do {
      options = try Options(arguments: CommandLine.arguments.dropFirst())
    } catch {
      Output.complain("\(error)")
      exit(2)
    }
    guard !options.wantsHelp else { return Output.show(Options.usage) }

    let end = DispatchSemaphore(value: 0)
    Task.detached {
      let isGood = await perform(options)
      if !isGood { exit(1) }
      end.signal()
    }
    end.wait()
  }

  /// - Returns: Whether all checks passed.
  private static func perform(_ options: Options) async -> Bool {
    switch options.command {
    case .measuring: await measure(options)
    case .checkingThresholds(let path): await Thresholds.check(path: path)
    case .soaking(let count): await Soak(operationCount: count).run()
    case .repeating(let shape, let count): await repeatedly(shape, count)
    }
  }

  private static func repeatedly(_ shape: Workload, _ count: Int) async -> Bool {
    for _ in 0..<count {
      for contestant in shape.contestants { _ = await contestant.run() }
    }
    Output.show("\(shape.operationCount)")
    return true
  }

  private static func measure(_ options: Options) async -> Bool {
    let workloads = options.workloads
    guard !workloads.isEmpty else {
      Output.complain("there is no such workload")
      return false
    }
    #if DEBUG
      Output.complain("warning: a debug build; the figures mean nothing. Build with -c release.")
    #endif
    var report = Report(rounds: options.scale.rounds)
    let table = Table(titles: Row.titles, leading: [workloads.flatMap(\.rowNames), workloads.flatMap(\.unitNames)])
    if !options.wantsJSON { Output.show(introduction(to: report) + table.header) }
    for workload in workloads {
      let rows = await report.add(Measurement(of: workload))
      if !options.wantsJSON { for row in rows { Output.show(table.row(row.cells)) } }
    }
    if options.wantsJSON { return showJSON(of: report) }
    if !options.isQuick { showGoals(of: report) }
    return true
  }

  private static func introduction(to report: Report) -> String {
    """
    \(report.machine)
    Medians of \(report.rounds) rounds, \(min(report.rounds, Measurement.slowRounds)) where a round takes over a second. \
    /floor and so on: ours to theirs, below 1 where ours
    is less, medians of the ratios in each round. mallocs, switches: blocks allocated and context switches of threads
    for each operation.


    """
  }

  private static func showJSON(of report: Report) -> Bool {
    do {
      Output.show(String(decoding: try report.json(), as: UTF8.self))
      return true
    } catch {
      Output.complain("\(error)")
      return false
    }
  }

  private static func showGoals(of report: Report) {
    let pairs = Goal.all.compactMap { goal in
      report.rows.first { $0.name == goal.row }.map { goal.cells(for: $0) }
    }
    guard !pairs.isEmpty else { return }
    let table = Table(titles: Goal.titles, leading: [pairs.map { $0[0] }])
    Output.show("\n" + table.header)
    for cells in pairs { Output.show(table.row(cells)) }
  }
}
