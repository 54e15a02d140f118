import StructuredOperations
import Testing

@testable import opgraph

@Suite("GraphReader")
struct GraphReaderTests {
  private let reader = GraphReader(directory: "base") { $0 == "base/sub" || $0 == "/abs" }

  private func graph(_ text: String) throws -> Graph {
    try reader.graph(from: Array(text.utf8))
  }

  @Test("Every key of an operation is read, and has a default where it may be missing")
  func keys() throws {
    let graph = try graph(
      #"""
      {"operations": [
        {"id": "compile", "run": "cc -c a.c", "after": ["configure"], "priority": "high", "directory": "sub"},
        {"id": "configure", "run": "./configure"},
        {"id": "deploy", "run": "cp a /b", "directory": "/abs"}
      ]}
      """#)

    #expect(
      graph.nodes == [
        Graph.Node(id: "compile", run: "cc -c a.c", after: ["configure"], priority: .high, directory: "base/sub"),
        Graph.Node(id: "configure", run: "./configure", after: [], priority: .normal, directory: "base"),
        Graph.Node(id: "deploy", run: "cp a /b", after: [], priority: .normal, directory: "/abs"),
      ])
  }

  @Test(
    "The priorities have the queue's names",
    arguments: [
      ("veryLow", .veryLow), ("low", .low), ("normal", .normal), ("high", .high), ("veryHigh", .veryHigh),
    ] as [(String, QueuePriority)])
  func priorities(name: String, priority: QueuePriority) throws {
    let graph = try graph(#"{"operations": [{"id": "a", "run": ":", "priority": "\#(name)"}]}"#)
    #expect(graph.nodes.map(\.priority) == [priority])
  }

  @Test("A graph may be empty")
  func empty() throws {
    #expect(try graph(#"{"operations": []}"#).nodes.isEmpty)
  }

  @Test(
    "A mistake is told with its line",
    arguments: [
      ("[]", "line 1: expected an object, found an array"),
      ("{\n\"operation\": []}", #"line 2: unknown key "operation" (known: operations)"#),
      ("\n{}", #"line 2: the key "operations" is missing"#),
      ("{\"operations\":\n3}", #"line 2: "operations": expected an array, found a number"#),
      ("{\"operations\": [\ntrue]}", "line 2: expected an object, found a boolean"),
      (
        operations(#"{"id": "a", "run": ":", "dir": "."}"#),
        #"line 2: unknown key "dir" (known: id, run, after, priority, directory)"#
      ),
      (operations(#"{"id": "a", "id": "b", "run": ":"}"#), #"line 2: the key "id" stands twice"#),
      (operations(#"{"id": "a"}"#), #"line 2: the key "run" is missing"#),
      (operations(#"{"run": ":"}"#), #"line 2: the key "id" is missing"#),
      (operations(#"{"id": "", "run": ":"}"#), "line 2: an id is empty"),
      (operations(#"{"id": "a\nb", "run": ":"}"#), #"line 2: the id "a\nb" has a control character"#),
      (operations(#"{"id": 1, "run": ":"}"#), #"line 2: "id": expected a string, found a number"#),
      (operations(#"{"id": "a", "run": null}"#), #"line 2: "run": expected a string, found null"#),
      (operations(#"{"id": "a", "run": "x\u0000"}"#), #"line 2: "run" has a NUL character"#),
      (operations(#"{"id": "a", "run": ":", "after": "b"}"#), #"line 2: "after": expected an array, found a string"#),
      (operations(#"{"id": "a", "run": ":", "after": [{}]}"#), #"line 2: "after": expected a string, found an object"#),
      (
        operations(#"{"id": "a", "run": ":", "priority": "urgent"}"#),
        #"line 2: unknown priority "urgent" (known: veryLow, low, normal, high, veryHigh)"#
      ),
      (operations(#"{"id": "a", "run": ":", "directory": "nowhere"}"#), #"line 2: there is no directory "nowhere""#),
      (operations(#"{"id": "a", "run": ":", "directory": "/abs\u0000"}"#), #"line 2: there is no directory "/abs\0""#),
      (
        operations(#"{"id": "a", "run": ":", "after": ["b"]}"#),
        #"line 2: operation "a": unknown dependency "b""#
      ),
      (operations(#"{"id": "a", "run": ":"}"#, #"{"id": "a", "run": ":"}"#), #"line 3: duplicate id "a""#),
    ])
  func refused(text: String, message: String) {
    let error = #expect(throws: InputError.self) { try graph(text) }
    #expect(error?.description == message)
  }

  /// A graph whose first operation stands on line 2, the next on line 3.
  private static func operations(_ objects: String...) -> String {
    "{\"operations\": [\n" + objects.joined(separator: ",\n") + "\n]}"
  }
}
