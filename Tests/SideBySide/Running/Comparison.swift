import StructuredOperations

/// The outcomes of both sides of a scenario.
struct Comparison: Sendable {
  let scenario: Scenario
  let foundation: String
  let ours: String

  struct Area: Sendable {
    let name: String
    let comparisons: [Comparison]
  }

  /// Runs all scenarios, four at a time.
  static func all() async -> [Area] {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 4)
    var number = 0
    var areas: [(name: String, operations: [AsyncOperation<Comparison>])] = []
    for area in Scenarios.areas {
      var operations: [AsyncOperation<Comparison>] = []
      for scenario in area.scenarios {
        let children = Side.allCases.map { ChildProcess(number: number, side: $0) }
        operations.append(
          await queue.add {
            Comparison(scenario: scenario, foundation: await children[0].outcome(), ours: await children[1].outcome())
          })
        number += 1
      }
      areas.append((area.name, operations))
    }
    await queue.waitUntilAllOperationsAreFinished()
    return areas.map { area in
      Area(name: area.name, comparisons: area.operations.compactMap { $0.outcome?.output })
    }
  }

  /// Why the outcomes are not as expected; nil if they are.
  var surprise: String? {
    let isSame = foundation == ours
    switch scenario.expectation {
    case .same where !isSame: return "\(scenario.row), \(scenario.title): Foundation says \(foundation), ours \(ours)"
    case .byDesign where isSame, .linuxDeviates where isSame:
      return "\(scenario.row), \(scenario.title): both say \(ours), and are expected to differ"
    case .same, .byDesign, .linuxDeviates: return nil
    }
  }
}

extension OperationOutcome {
  fileprivate var output: Output? {
    if case .success(let output) = self { output } else { nil }
  }
}
