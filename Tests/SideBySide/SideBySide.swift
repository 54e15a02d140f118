import Foundation

/// Runs every scenario with Foundation's queue and with ours, each in a process of its own.
///
///     side-by-side --write FILE TOOLCHAIN   writes the article with the table, which names the toolchain
///     side-by-side --check FILE TOOLCHAIN   compares it with the file, and prints what differs
///     side-by-side --run SIDE NUMBER        runs one scenario in this process, `foundation` or `ours`
///
/// The status is 1 if the file differs or if a scenario did not have the expected outcome.
@main
enum SideBySide {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 3 else {
      fail("usage: side-by-side --write|--check FILE TOOLCHAIN | --run foundation|ours NUMBER", status: 2)
    }
    switch arguments[0] {
    case "--write":
      compare(with: arguments[2]) { article in
        do {
          try article.write(toFile: arguments[1], atomically: true, encoding: .utf8)
        } catch {
          fail("\(arguments[1]): \(error)", status: 2)
        }
        return true
      }
    case "--check":
      compare(with: arguments[2]) { article in
        guard let committed = try? String(contentsOfFile: arguments[1], encoding: .utf8) else {
          fail("\(arguments[1]): cannot be read", status: 2)
        }
        let difference = LineDifference(from: committed, to: article)
        print(difference.isEmpty ? "\(arguments[1]) says what a fresh run says.\n" : "\(difference)", terminator: "")
        return difference.isEmpty
      }
    case "--run":
      guard let side = Side(rawValue: arguments[1]), let number = Int(arguments[2]),
        Scenarios.all.indices.contains(number)
      else {
        fail("There is no such scenario.", status: 2)
      }
      ChildProcess.run(Scenarios.all[number], side)
    default:
      fail("\(arguments[0]) is neither --write, --check nor --run", status: 2)
    }
  }

  /// Runs all scenarios, reports those with an unexpected outcome, and passes the article to a closure.
  ///
  /// - Parameter use: Receives the article and returns whether it was written or is unchanged.
  private static func compare(with toolchain: String, _ use: @escaping @Sendable (String) -> Bool) {
    Task.detached {
      let areas = await Comparison.all()
      let surprises = areas.flatMap(\.comparisons).compactMap(\.surprise)
      for surprise in surprises { FileHandle.standardError.write(Data("\(surprise)\n".utf8)) }
      let isWell = use(Article(areas, toolchain: toolchain).text)
      exit(isWell && surprises.isEmpty ? 0 : 1)
    }
    RunLoop.main.run()
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("side-by-side: \(message)\n".utf8))
    exit(status)
  }
}
