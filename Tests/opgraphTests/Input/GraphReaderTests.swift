import StructuredOperations
import Testing

@testable import opgraph

@Suite("GraphReader")
struct GraphReaderTests {
  private let reader = GraphReader(file: "graph.json", directory: "base") { $0 == "base/sub" || $0 == "/abs" }

  private func graph(_ text: String) throws -> Graph {
    try reader.graph(from: Array(text.utf8))
  }

  /// The only node of a graph, with what stands at the top beside it; its position is left out.
  private func node(_ members: String, top: String = "") throws -> Graph.Node {
    let graph = try graph(
      #"{\#(top) "operations": [{"id": "a", "run": ":" \#(members.isEmpty ? "" : ", \(members)")}]}"#)
    var node = try #require(graph.nodes.first)
    node.position = nil
    return node
  }

  @Test("Every key of an operation is read, and has a default where it may be missing")
  func keys() throws {
    let graph = try graph(
      #"""
      {"$schema": "opgraph.schema.json", "operations": [
        {"id": "compile", "run": "cc -c a.c", "after": ["configure"], "priority": "high", "directory": "sub",
          "timeout": 1.5, "retries": 2, "env": {"A": "1", "B": null}, "pools": ["cc", "disk"], "allowFailure": true,
          "inputs": ["a.c"], "outputs": ["a.o"], "launcher": ["nice", "-n5"]},
        {"id": "configure", "run": "./configure"}, // the rest
        {"id": "deploy", "run": "cp a /b", "directory": "/abs", "after": "compile", "pools": "disk"}
      ], "pools": {"disk": 2, "cc": {"depth": 1}}}
      """#)

    #expect(
      graph.nodes == [
        Graph.Node(
          id: "compile", run: "cc -c a.c", after: ["configure"], priority: .high, directory: "base/sub",
          timeout: .seconds(1.5), retries: Graph.Retries(attempts: 3), environment: ["A": "1", "B": nil as String?],
          pools: ["cc", "disk"], allowsFailure: true, inputs: ["a.c"], outputs: ["a.o"], launcher: ["nice", "-n5"],
          position: TextPosition(line: 2, column: 3)),
        Graph.Node(
          id: "configure", run: "./configure", directory: "base", position: TextPosition(line: 5, column: 3)),
        Graph.Node(
          id: "deploy", run: "cp a /b", after: ["compile"], directory: "/abs", pools: ["disk"],
          position: TextPosition(line: 6, column: 3)),
      ])
    #expect(graph.pools == [Graph.Pool(name: "disk", depth: 2), Graph.Pool(name: "cc", depth: 1)])
  }

  @Test("The names of priorities are the queue's, from the lowest to the highest")
  func priorities() throws {
    let names = ["veryLow", "low", "normal", "high", "veryHigh"]
    let priorities = try names.map { try node("\"priority\": \"\($0)\"").priority }
    #expect(priorities == [.veryLow, .low, .normal, .high, .veryHigh])
  }

  @Test(
    "Retries are a number of further attempts, or all attempts with a delay that grows",
    arguments: [
      ("0", Graph.Retries(attempts: 1)), ("3", Graph.Retries(attempts: 4)),
      (#"{"attempts": 4}"#, Graph.Retries(attempts: 4)),
      (
        #"{"attempts": 4, "delay": 0.5, "factor": 1.5, "maximumDelay": 30}"#,
        Graph.Retries(attempts: 4, delay: .milliseconds(500), factor: 1.5, maximumDelay: .seconds(30))
      ),
    ])
  func retries(text: String, retries: Graph.Retries) throws {
    #expect(try node(#""retries": \#(text)"#).retries == retries)
  }

  @Test("What the defaults say is said of each operation that says nothing else, wherever they stand")
  func defaults() throws {
    let defaults = #"""
      "defaults": {"priority": "low", "directory": "sub", "timeout": 3, "retries": 1, "env": {"A": "1", "B": "2"},
        "pools": "p", "allowFailure": true, "launcher": ["x"]}
      """#
    let operations = #"""
      "operations": [
        {"id": "none", "run": ":"},
        {"id": "all", "run": ":", "priority": "normal", "directory": "/abs", "timeout": 4, "retries": 0,
          "env": {"B": null, "C": "3"}, "pools": [], "allowFailure": false, "launcher": []}
      ]
      """#
    let expected = [
      Graph.Node(
        id: "none", run: ":", priority: .low, directory: "base/sub", timeout: .seconds(3),
        retries: Graph.Retries(attempts: 2), environment: ["A": "1", "B": "2"], pools: ["p"], allowsFailure: true,
        launcher: ["x"]),
      Graph.Node(
        id: "all", run: ":", directory: "/abs", timeout: .seconds(4), retries: Graph.Retries(attempts: 1),
        environment: ["A": "1", "B": nil as String?, "C": "3"]),
    ]

    for text in ["\(defaults), \(operations)", "\(operations), \(defaults)"] {
      let nodes = try graph(#"{\#(text), "pools": {"p": 1}}"#).nodes.map { node in
        var node = node
        node.position = nil
        return node
      }
      #expect(nodes == expected)
    }
  }

  @Test(
    "The launcher is the node's, else that of its first pool that has one, else that of the defaults, else the top's",
    arguments: [
      (#""launcher": ["node"], "pools": ["b"]"#, true, ["node"]),
      (#""launcher": [], "pools": ["b"]"#, true, []),
      (#""pools": ["a", "b", "c"]"#, true, ["pool", "b"]),
      (#""pools": ["empty", "b"]"#, true, []),
      (#""pools": ["a"]"#, true, ["defaults"]),
      (#""pools": ["a"]"#, false, ["top"]),
      ("", false, ["top"]),
    ])
  func launchers(members: String, hasDefaults: Bool, launcher: [String]) throws {
    let top = #"""
      "launcher": ["top"], \#(hasDefaults ? #""defaults": {"launcher": ["defaults"]},"# : "")
      "pools": {"a": 1, "b": {"depth": 2, "launcher": ["pool", "b"]}, "c": {"depth": 1, "launcher": ["pool", "c"]},
        "empty": {"depth": 1, "launcher": []}},
      """#
    #expect(try node(members, top: top).launcher == launcher)
  }

  @Test("A pool of the defaults gives its launcher, too")
  func launcherOfDefaultPool() throws {
    let top = #""pools": {"p": {"depth": 1, "launcher": ["x"]}}, "defaults": {"pools": "p"},"#
    #expect(try node("", top: top).launcher == ["x"])
    #expect(try node(#""pools": []"#, top: top).launcher == [])
  }

  @Test("A graph may be empty, and the text may begin with a byte order mark")
  func empty() throws {
    #expect(try graph(#"{"operations": []}"#).nodes.isEmpty)
    #expect(try graph("\u{FEFF}{\"operations\": []}").nodes.isEmpty)
  }

  @Test("A directory is looked for once, however many operations name it")
  func directoriesOnce() throws {
    final class Counter {
      var count = 0
    }
    let counter = Counter()
    let reader = GraphReader(file: "graph.json", directory: "base/") { _ in
      counter.count += 1
      return true
    }
    let operations = (0..<5).map { #"{"id": "\#($0)", "run": ":", "directory": "sub"}"# }.joined(separator: ",")

    let graph = try reader.graph(from: Array("{\"operations\": [\(operations)]}".utf8))

    #expect(graph.nodes.map(\.directory) == Array(repeating: "base/sub", count: 5))
    #expect(counter.count == 1)
  }
}
