import Testing

@testable import opgraph

@Suite("Invocation")
struct InvocationTests {
  @Test(
    "The arguments say what is run, and how much of it at once",
    arguments: [
      ([], .run(.sourceTree, width: 8)),
      (["a.json"], .run(.file(GraphFile(argument: "a.json")), width: 8)),
      (["-"], .run(.file(GraphFile(argument: "-")), width: 8)),
      (["-j", "3", "a.json"], .run(.file(GraphFile(argument: "a.json")), width: 3)),
      (["a.json", "-j3"], .run(.file(GraphFile(argument: "a.json")), width: 3)),
      (["-j", "3", "-j", "4"], .run(.sourceTree, width: 4)),
      (["--", "-j"], .run(.file(GraphFile(argument: "-j")), width: 8)),
      (["-h"], .help),
      (["--help"], .help),
      (["a.json", "-j", "2", "--help"], .help),
    ] as [([String], Invocation)])
  func accepted(arguments: [String], invocation: Invocation) throws {
    #expect(try Invocation(arguments: arguments, cores: 8) == invocation)
  }

  @Test(
    "Arguments that make no sense are named",
    arguments: [
      (["-j"], "-j needs a number"),
      (["-j", "0"], #"-j needs a number from 1 up, not "0""#),
      (["-j-1"], #"-j needs a number from 1 up, not "-1""#),
      (["-j", "two"], #"-j needs a number from 1 up, not "two""#),
      (["-j", "99999999999999999999"], #"-j needs a number from 1 up, not "99999999999999999999""#),
      (["--jobs", "2"], #"unknown option "--jobs"; opgraph --help shows the usage"#),
      (["-x"], #"unknown option "-x"; opgraph --help shows the usage"#),
      (["a.json", "b.json"], "one file at most, but there are 2"),
    ])
  func refused(arguments: [String], message: String) {
    let error = #expect(throws: InputError.self) { try Invocation(arguments: arguments, cores: 8) }
    #expect(error?.description == message)
  }
}
