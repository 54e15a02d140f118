import Foundation
import Testing

@testable import opgraph

@Suite("Invocation")
struct InvocationTests {
  /// The options of a run with the arguments and a file.
  private func options(_ arguments: [String]) throws -> RunOptions {
    guard case .graph(_, _, .run(let options)) = try Invocation(arguments: arguments + ["g"], cores: 8) else {
      throw InputError("\(arguments) run nothing")
    }
    return options
  }

  @Test("Without options the graph is run with a command for each core, up to the first failure")
  func defaults() throws {
    #expect(try options([]) == RunOptions(width: 8))
    #expect(RunOptions(width: 8).failureLimit == 1)
    #expect(RunOptions(width: 8).grace == .seconds(10))
  }

  @Test(
    "The first operand is the file, the others are ids",
    arguments: [
      ([], nil, []), (["g"], "g", []), (["-"], "-", []), (["g", "a", "b"], "g", ["a", "b"]), (["g", "-"], "g", ["-"]),
      (["g", "-j3", "a"], "g", ["a"]), (["--", "-j", "--list"], "-j", ["--list"]),
      (["g", "--", "a", "--"], "g", ["a", "--"]),
      ([""], "", []),
    ] as [([String], String?, [String])])
  func operands(arguments: [String], file: String?, ids: [String]) throws {
    guard case .graph(let read, let readIDs, _) = try Invocation(arguments: arguments) else {
      throw InputError("no graph")
    }
    #expect(read == file.map { GraphFile(argument: $0) })
    #expect(readIDs == ids)
  }

  @Test(
    "Each option of a run is taken over, in every way to write it",
    arguments: [
      ([["-j3"], ["-j", "3"], ["--jobs=3"], ["--jobs", "3"], ["-j9", "-j", "3"]], with { $0.width = 3 }),
      ([["-k4"], ["-k", "4"], ["--keep-going=4"]], with { $0.failureLimit = 4 }),
      ([["-k0"], ["-k", "0"], ["--keep-going=0"], ["--keep-going"]], with { $0.failureLimit = nil }),
      ([["--output=live"], ["--output", "live"]], with { $0.output = .live }),
      ([["--output=prefixed"]], with { $0.output = .prefixed }),
      ([["-q"], ["--quiet"], ["--verbose", "-q"]], with { $0.verbosity = .quiet }),
      ([["--verbose"], ["-v"], ["-q", "--verbose"]], with { $0.verbosity = .verbose }),
      ([["--color", "auto"], ["--color=never", "--color=auto"]], with { $0.color = .automatic }),
      ([["--color", "always"], ["--color=always"]], with { $0.color = .always }),
      ([["--color", "never"]], with { $0.color = .never }),
      ([["--grace", "2.5"], ["--grace=2.5"]], with { $0.grace = .milliseconds(2500) }),
      ([["--grace", "0"]], with { $0.grace = .zero }),
      ([["--resume"]], with { $0.isResuming = true }),
      ([["--trace", "-"], ["--trace=-"]], with { $0.trace = "-" }),
      ([["--report", "a=b"], ["--report=a=b"]], with { $0.report = "a=b" }),
      ([["--junit", "x.xml"]], with { $0.junit = "x.xml" }),
      ([["--json"]], with { $0.writesEvents = true }),
    ] as [([[String]], RunOptions)])
  func options(spellings: [[String]], expected: RunOptions) throws {
    for spelling in spellings {
      #expect(try options(spelling) == expected, "\(spelling)")
    }
  }

  private static func with(_ change: (inout RunOptions) -> Void) -> RunOptions {
    var options = RunOptions(width: 8)
    change(&options)
    return options
  }

  @Test("An option may stand behind the file, and a letter may be followed by others")
  func places() throws {
    guard
      case .graph(let file, let ids, .plan(let options)) = try Invocation(
        arguments: ["g", "-nqj", "2", "a", "-k0"], cores: 8)
    else { throw InputError("no plan") }

    #expect(file == GraphFile(argument: "g"))
    #expect(ids == ["a"])
    var expected = RunOptions(width: 2)
    (expected.verbosity, expected.failureLimit) = (.quiet, nil)
    #expect(options == expected)
  }

  @Test(
    "What is shown in place of a run",
    arguments: [
      (["-n"], .plan(RunOptions(width: 8))), (["--dry-run"], .plan(RunOptions(width: 8))), (["--list"], .list),
      (["--graph", "dot"], .draw(.dot)), (["--graph=mermaid"], .draw(.mermaid)), (["-n", "--list"], .list),
      (["--list", "-n"], .plan(RunOptions(width: 8))),
      (["-n", "--resume"], .plan(RunOptions(width: 8, isResuming: true))),
    ] as [([String], GraphJob)])
  func jobs(arguments: [String], job: GraphJob) throws {
    #expect(
      try Invocation(arguments: arguments + ["g"], cores: 8) == .graph(GraphFile(argument: "g"), ids: [], job))
  }

  @Test(
    "Help and version come before what else is asked for, and before mistakes after them",
    arguments: [
      (["-h"], .help), (["--help"], .help), (["g", "-j", "2", "--help", "--nonsense"], .help), (["-nh"], .help),
      (["--version"], .version), (["-q", "--version", "-h"], .version),
    ] as [([String], Invocation)])
  func help(arguments: [String], invocation: Invocation) throws {
    #expect(try Invocation(arguments: arguments, cores: 8) == invocation)
  }

  @Test(
    "Arguments that make no sense are named",
    arguments: [
      (["-j"], "-j needs a value"),
      (["-j", "0"], #"-j needs a number from 1 up, not "0""#),
      (["-j-1"], #"-j needs a number from 1 up, not "-1""#),
      (["--jobs", "two"], #"--jobs needs a number from 1 up, not "two""#),
      (["--jobs="], #"--jobs needs a number from 1 up, not """#),
      (["-j", "99999999999999999999"], #"-j needs a number up to 1000000000, not "99999999999999999999""#),
      (["-j", "1000000001"], #"-j needs a number up to 1000000000, not "1000000001""#),
      (["-k"], "-k needs a value"),
      (["-k", "-1"], #"-k needs a number from 0 up, not "-1""#),
      (["-k", "1e10"], #"-k needs a number up to 1000000000, not "1e10""#),
      (["--keep-going=all"], #"--keep-going needs a number from 0 up, not "all""#),
      (["--job", "2"], #"unknown option "--job"; did you mean "--jobs"?"#),
      (["--colour"], #"unknown option "--colour"; did you mean "--color"?"#),
      (["--dryrun=x"], #"unknown option "--dryrun"; did you mean "--dry-run"?"#),
      (["--frobnicate"], #"unknown option "--frobnicate"; opgraph --help shows the usage"#),
      (["-x"], #"unknown option "-x"; opgraph --help shows the usage"#),
      (["-nx"], #"unknown option "-x"; opgraph --help shows the usage"#),
      (["--output", "life"], #"--output needs grouped, live or prefixed, not "life"; did you mean "live"?"#),
      (["--color", "sometimes"], #"--color needs auto, always or never, not "sometimes""#),
      (["--graph", "svg"], #"--graph needs dot or mermaid, not "svg""#),
      (["--graph"], "--graph needs a value"),
      (["--grace", "-1"], #"--grace needs a number of seconds from 0 up, not "-1""#),
      (["--grace", "nan"], #"--grace needs a number of seconds from 0 up, not "nan""#),
      (["--grace=inf"], #"--grace needs a number of seconds up to 1000000000, not "inf""#),
      (["--grace", "1e300"], #"--grace needs a number of seconds up to 1000000000, not "1e300""#),
      (["--trace="], #"--trace needs the name of a file, not """#),
      (["--list=x"], "--list takes no value"),
      (["-n", "--report", "x"], "-n runs nothing, and so there is nothing to write for --report"),
      (["--trace=x", "--dry-run"], "--dry-run runs nothing, and so there is nothing to write for --trace"),
      (["--list", "--junit", "x"], "--list runs nothing, and so there is nothing to write for --junit"),
      (["-n", "--report", "x", "--graph=dot"], "--graph runs nothing, and so there is nothing to write for --report"),
    ])
  func refused(arguments: [String], message: String) {
    let error = #expect(throws: InputError.self) { try Invocation(arguments: arguments, cores: 8) }
    #expect(error?.description == message)
  }

  @Test("The usage fits into 80 columns and has every option and every key")
  func usage() {
    let lines = Invocation.usage.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    for option in Option.allCases {
      #expect(Invocation.usage.contains("--\(option.rawValue)"), "\(option)")
      guard let letter = option.letter else { continue }
      // Where the long name may stand alone, only the letter has its number.
      let forms = ["  -\(letter), --\(option.rawValue)", "  -\(letter) N, --\(option.rawValue)[=N]"]
      #expect(forms.contains { Invocation.usage.contains($0) }, "\(option)")
    }
    for key in GraphKey.allCases.map(\.rawValue) + NodeKey.allCases.map(\.rawValue)
      + RetriesKey.allCases.map(\.rawValue)
    {
      #expect(Invocation.usage.contains(key), "\(key)")
    }
  }
}
