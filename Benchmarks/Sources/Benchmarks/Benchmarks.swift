import Dispatch
import Foundation

/// Measures the queue of this package against a hand-written task group and Foundation's queue.
///
/// The main function is synchronous, and the work goes on in a detached task: an asynchronous one would run on the main
/// actor, whose hops cost more than what is measured.
@main
enum Benchmarks {
  static func main() {
    let options: Options
    do {
      options = try Options(arguments: CommandLine.arguments.dropFirst())
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(2)
    }
    guard !options.wantsHelp else {
      show(Options.usage)
      return
    }
    let workloads = Workload.all(for: options.scale).filter { options.filter.map($0.name.contains) ?? true }
    guard !workloads.isEmpty else {
      FileHandle.standardError.write(Data("no workload has \(options.filter ?? "") in its name\n".utf8))
      exit(2)
    }

    let end = DispatchSemaphore(value: 0)
    Task.detached {
      await run(workloads, rounds: options.scale.rounds)
      end.signal()
    }
    end.wait()
  }

  private static func run(_ workloads: [Workload], rounds: Int) async {
    #if DEBUG
      show("warning: a debug build; the figures mean nothing. Build with -c release.\n")
    #endif
    show(
      """
      Medians of \(rounds) rounds on \(ProcessInfo.processInfo.activeProcessorCount) cores. Ratios are those of \
      \(Competitor.asyncOperationQueue) to the others, below 1 where it is faster: medians of the ratios in each round.

      """)
    let table = Table(titles: Report.titles, rowNames: workloads.map(\.name))
    show(table.header)
    for workload in workloads {
      let measurement = await Measurement(of: workload, rounds: rounds)
      show(table.row(Report(workload: workload, measurement: measurement).cells))
    }
  }

  /// Prints a line at once, also into a pipe.
  private static func show(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
