import Foundation
import StructuredOperationsTesting
import TestSupport
import Testing

@testable import opgraph

extension OpgraphTests {
  /// Runs of graphs between which somebody changes things, fails, and kills.
  @Suite("random histories")
  struct RandomHistories {
    /// What happens before a run.
    private enum Change: CaseIterable {
      case source, lostOutput, text, inputs, outputs, removal, addition
      /// The run before has some operations only.
      case selection
      /// The run before has an operation with such an order.
      case failure, killed, meanwhile
    }

    private let folder: TemporaryFolder
    private let tool: Tool

    init() throws {
      folder = try TemporaryFolder()
      tool = Tool(folder: folder)
    }

    @Test(
      "Whatever has happened before, a run makes what a first run would make, and the next one has nothing to do",
      arguments: 0..<6)
    func equalToAFirstRun(seed: UInt64) async throws {
      var graph = RandomGraph(seed: seed)
      for source in RandomGraph.sources { try folder.write("\(source).", to: source) }
      for step in 0..<12 {
        HangGuard.progress()
        let change = Change.allCases[graph.number(Change.allCases.indices)]
        let isResuming = graph.number(0..<4) == 0
        try await perform(change, in: &graph, step: step)
        try writeGraph(graph)

        let first = try await tool.start((isResuming ? ["--resume"] : []) + ["-j\(graph.number(1..<4))", "g.json"])
          .outcome()
        let second = try await tool.run("g.json")

        let place = "seed \(seed), step \(step): \(change)"
        let sources = RandomGraph.sources.map { ($0, folder.text($0) ?? "") }
        for (name, text) in graph.outputs(of: Dictionary(uniqueKeysWithValues: sources)) {
          #expect(folder.text(name) == text, "\(place), \(name)")
        }
        #expect(first.status == 0, "\(place): \(first.errors)")
        #expect(second.lines.last?.contains(" 0 done, 0 failed, 0 skipped") == true, "\(place): \(second.lines)")
      }
    }

    private func perform(_ change: Change, in graph: inout RandomGraph, step: Int) async throws {
      let index = graph.anyOperation()
      let operation = graph.operations[index]
      switch change {
      case .source: try edit(graph.anySource(), step: step)
      case .lostOutput: try? FileManager.default.removeItem(atPath: folder.path(operation.outputs[0]))
      case .text: graph.changeText(of: index)
      case .inputs: graph.changeInputs(of: index)
      case .outputs: graph.changeOutputs(of: index)
      case .removal: graph.removeOperation(index)
      case .addition: graph.addOperation()
      case .selection:
        try edit(graph.anySource(), step: step)
        try writeGraph(graph)
        #expect(try await tool.run("g.json", operation.id).status == 0)
      case .failure: try await run(graph, with: .fail, for: operation.id, step: step)
      case .killed: try await run(graph, with: .kill, for: operation.id, step: step)
      case .meanwhile: try await run(graph, with: .edit, for: operation.id, step: step)
      }
    }

    /// One at a time: what a killed run leaves running would make its outputs later.
    private func run(_ graph: RandomGraph, with order: RandomGraph.Order, for id: String, step: Int) async throws {
      if step.isMultiple(of: 2) { try edit(RandomGraph.sources[1], step: step) }
      // So that it runs, though nothing that it depends on has changed.
      try? FileManager.default.removeItem(atPath: folder.path(graph.outputs(of: id)[0]))
      try writeGraph(graph)
      try folder.write("", to: order.name(for: id))
      _ = try await tool.run("-j1", "-k0", "g.json")
      try FileManager.default.removeItem(atPath: folder.path(order.name(for: id)))
    }

    private func writeGraph(_ graph: RandomGraph) throws {
      try folder.write(String(decoding: graph.json(), as: UTF8.self), to: "g.json")
    }

    /// Until the time of the file is another one: file systems know it to some milliseconds.
    private func edit(_ source: String, step: Int) throws {
      let before = FileTime(ofFileAt: folder.path(source))
      repeat {
        try folder.write("\(source) at \(step).", to: source)
      } while FileTime(ofFileAt: folder.path(source)) == before
    }
  }
}
