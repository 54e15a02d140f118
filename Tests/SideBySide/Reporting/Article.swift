/// The table of outcomes as an article of the documentation.
struct Article {
  private let areas: [Comparison.Area]
  private let toolchain: String

  init(_ areas: [Comparison.Area], toolchain: String) {
    self.areas = areas
    self.toolchain = toolchain
  }

  var text: String {
    var lines = introduction
    for area in areas {
      lines += [
        "", "### \(area.name)", "", "| row | scenario | Foundation on Linux | here | verdict |",
        "|---|---|---|---|---|",
      ]
      lines += area.comparisons.map(line)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var introduction: [String] {
    let all = areas.flatMap(\.comparisons)
    var (same, byDesign, deviating) = (0, 0, 0)
    for comparison in all {
      switch comparison.scenario.expectation {
      case .same: same += 1
      case .byDesign: byDesign += 1
      case .linuxDeviates: deviating += 1
      }
    }
    return [
      "# Side by Side with Foundation",
      "",
      "What the queue of Foundation on Linux and the one of this package do in \(all.count) scenarios.",
      "",
      "## Overview",
      "",
      "The executable `side-by-side` has written this page: with both queues it runs every scenario in a process of its own.",
      "Foundation's is that of Swift \(toolchain). A check of the package compares the page with a fresh run.",
      "",
      "- **same**, \(same) times: both come to the same.",
      "- **by design**, \(byDesign) times: this package is meant to be otherwise, for the reason that is given.",
      "- **Linux deviates**, \(deviating) times: this package does what Apple's documentation says, and Foundation on Linux",
      "  does not.",
      "",
      "\"Ends the program\" means a fatal error, and \"hangs\" that nothing has gone on for a long time.",
    ]
  }

  private func line(_ comparison: Comparison) -> String {
    let verdict =
      switch comparison.scenario.expectation {
      case .same: "same"
      case .byDesign(let reason): "by design: \(reason)"
      case .linuxDeviates(let documentation): "Linux deviates: \(documentation)"
      }
    let scenario = comparison.scenario
    let cells = [scenario.row, scenario.title, comparison.foundation, comparison.ours, verdict]
    return "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
  }
}
