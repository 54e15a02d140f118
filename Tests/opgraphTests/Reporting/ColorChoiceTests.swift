import Testing

@testable import opgraph

@Suite("Colours")
struct ColorChoiceTests {
  @Test(
    "They are decided by the option, then the environment, then whether there is a terminal for them",
    arguments: [
      (.automatic, true, [:], true),
      (.automatic, false, [:], false),
      (.automatic, true, ["NO_COLOR": "1"], false),
      (.automatic, true, ["NO_COLOR": ""], true),
      (.automatic, true, ["CLICOLOR": "0"], false),
      (.automatic, true, ["CLICOLOR": "1"], true),
      (.automatic, false, ["CLICOLOR": "1"], false),
      (.automatic, false, ["CLICOLOR_FORCE": "1"], true),
      (.automatic, false, ["CLICOLOR_FORCE": "0"], false),
      (.automatic, false, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
      (.automatic, true, ["CLICOLOR_FORCE": "1", "CLICOLOR": "0"], true),
      (.automatic, true, ["TERM": "dumb"], false),
      (.automatic, true, ["TERM": ""], false),
      (.automatic, false, ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true),
      (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true),
      (.never, true, ["CLICOLOR_FORCE": "1"], false),
    ] as [(RunOptions.ColorChoice, Bool, [String: String], Bool)])
  func decision(choice: RunOptions.ColorChoice, isTerminal: Bool, environment: [String: String], isColored: Bool) {
    let environment = ["TERM": "xterm"].merging(environment) { $1 }
    #expect(choice.isColored(onTerminal: isTerminal, environment: environment) == isColored)
  }

  @Test("Text without colours is as it was")
  func style() {
    #expect(TextStyle(isColored: false)("failed", .red) == "failed")
    #expect(TextStyle(isColored: true)("failed", .red) == "\u{1B}[31mfailed\u{1B}[0m")
  }

  @Test(
    "A status line needs a terminal that can erase, and somebody who wants more than failures and less than all",
    arguments: [
      (.normal, false, true, "xterm", .status), (.normal, false, false, "xterm", .lines(.all)),
      (.normal, false, true, "dumb", .lines(.all)), (.normal, false, true, nil, .lines(.all)),
      (.verbose, false, true, "xterm", .lines(.all)), (.quiet, false, true, "xterm", .lines(.failures)),
      (.quiet, false, false, "xterm", .lines(.failures)), (.normal, true, true, "xterm", .events),
    ] as [(RunOptions.Verbosity, Bool, Bool, String?, ReportForm)])
  func form(verbosity: RunOptions.Verbosity, writesEvents: Bool, isTerminal: Bool, terminal: String?, form: ReportForm)
  {
    var options = RunOptions(width: 1)
    options.verbosity = verbosity
    options.writesEvents = writesEvents
    let environment = terminal.map { ["TERM": $0] } ?? [:]
    #expect(ReportForm(options, onTerminal: isTerminal, environment: environment) == form)
  }
}
