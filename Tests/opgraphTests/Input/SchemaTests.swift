import Foundation
import Testing

@testable import opgraph

/// The schema accepts what the reader does.
@Suite("opgraph.schema.json")
struct SchemaTests {
  private let schema: JSONSchema

  init() throws {
    schema = try JSONSchema(contentsOf: Examples.folder.appendingPathComponent(Examples.schemaName))
  }

  @Test("The keys of the schema are those of the reader")
  func keys() {
    func keys(_ path: [String]) -> Set<String> { Set(schema.part(path + ["properties"]).keys) }

    #expect(keys([]) == Set(GraphKey.allCases.map(\.rawValue)))
    #expect(keys(["$defs", "operation"]) == Set(NodeKey.allCases.map(\.rawValue)))
    #expect(keys(["properties", "defaults"]) == Set(NodeKey.ofDefaults.map(\.rawValue)))
    #expect(keys(["$defs", "retries"]) == Set(RetriesKey.allCases.map(\.rawValue)))
    let pool = (schema.part(["$defs", "pool"])["anyOf"] as? [[String: Any]])?.last?["properties"] as? [String: Any]
    #expect(Set(pool.map { Array($0.keys) } ?? []) == Set(PoolKey.allCases.map(\.rawValue)))
  }

  @Test("The priorities of the schema are those of the reader, in their order")
  func priorities() {
    let names = schema.part(["$defs", "operation", "properties", "priority"])["enum"] as? [String]
    #expect(names == NodeReader.priorities.map(\.key))
  }

  @Test("Every key has a description")
  func descriptions() {
    #expect(schema.descriptions.count > 30)
    #expect(schema.descriptions.filter { !$0.isDescribed }.map(\.key) == [])
  }

  /// Values of every kind, and at the limits of what some key accepts.
  private static let values = [
    "null", "true", "false", "0", "1", "3", "-1", "0.5", "1.0", "1e9", "1e10", #""""#, #""a""#, #""high""#, #""High""#,
    #""a b""#, #""\u0000""#, #""\n""#, #""\u009f""#, "[]", #"["a"]"#, #"["a", "b"]"#, #"["a", "a"]"#, #"[""]"#,
    #"["\u0000"]"#, #"["a\n"]"#, "[1]", "[null]", #"[["a"]]"#, "{}", #"{"a": "b"}"#, #"{"a": ""}"#, #"{"a": null}"#,
    #"{"a": 1}"#, #"{"a": 0}"#, #"{"a": 1.5}"#, #"{"a": "\u0000"}"#, #"{"": 1}"#, #"{"": "a"}"#, #"{"\n": 1}"#,
    #"{"\n": "a"}"#, #"{"a=b": "c"}"#, #"{"a=b": 1}"#, #"{"attempts": 1}"#, #"{"attempts": 0}"#, #"{"delay": 1}"#,
    #"{"depth": 1}"#, #"{"a": {"depth": 1}}"#, #"{"a": {"launcher": []}}"#, #"{"id": "a", "run": "b"}"#,
    #"[{"id": "a", "run": "b"}]"#, #"[{"id": "a", "run": ""}]"#, #"[{"id": "a"}]"#, #"[{"run": "a"}]"#,
  ]

  /// An object in a document, of which one member is tried.
  struct Place: Sendable, CustomTestStringConvertible {
    let keys: [String]
    /// What is in the object beside the member that is tried.
    let others: [String: String]
    /// The document, with `OBJECT` in the place of the object.
    let document: String

    var testDescription: String { document }
  }

  private static let places = [
    Place(keys: GraphKey.allCases.map(\.rawValue), others: ["operations": "[]"], document: "OBJECT"),
    Place(
      keys: NodeKey.allCases.map(\.rawValue), others: ["id": #""n""#, "run": #"":""#],
      document: #"{"operations": [OBJECT]}"#),
    Place(
      keys: NodeKey.allCases.map(\.rawValue), others: [:], document: #"{"operations": [], "defaults": OBJECT}"#),
    Place(
      keys: PoolKey.allCases.map(\.rawValue), others: ["depth": "1"],
      document: #"{"operations": [], "pools": {"p": OBJECT}}"#),
    Place(
      keys: RetriesKey.allCases.map(\.rawValue), others: ["attempts": "2"],
      document: #"{"operations": [{"id": "n", "run": ":", "retries": OBJECT}]}"#),
  ]

  @Test("The schema accepts a value of a key if and only if the reader does", arguments: places)
  func values(place: Place) throws {
    var accepted = 0
    for key in place.keys + ["other"] {
      for value in Self.values {
        var members = place.others
        members[key] = value
        let object = members.map { "\"\($0)\": \($1)" }.joined(separator: ", ")
        let document = place.document.replacing("OBJECT", with: "{\(object)}")
        let isAccepted = try schema.accepts(document)
        #expect(isAccepted == readerAccepts(document), "\(document)")
        accepted += isAccepted ? 1 : 0
      }
    }
    // Nothing is shown by agreement in refusing everything.
    #expect(accepted > place.keys.count)
  }

  @Test(
    "What must be there must be there for both",
    arguments: [
      "{}", #"{"operations": [{"id": "a"}]}"#, #"{"operations": [{"run": "a"}]}"#, #"{"operations": [{}]}"#,
      #"{"operations": [], "pools": {"p": {}}}"#, #"{"operations": [{"id": "n", "run": ":", "retries": {}}]}"#,
    ])
  func required(document: String) throws {
    #expect(try !schema.accepts(document))
    #expect(!readerAccepts(document))
  }

  @Test("Documents that are no objects are refused by both", arguments: ["[]", "[1]", #"{"operations": 1}"#, "{}"])
  func documents(text: String) throws {
    #expect(try !schema.accepts(text))
    #expect(!readerAccepts(text))
  }

  /// Whether the reader finds nothing wrong but what a schema cannot say: names that are not there or not unique.
  private func readerAccepts(_ text: String) -> Bool {
    do {
      _ = try GraphReader(file: "g", directory: ".") { _ in true }.graph(from: Array(text.utf8))
      return true
    } catch let errors as InputErrors {
      let beyond = ["unknown dependency", "unknown pool", "duplicate id", "dependency cycle"]
      return errors.entries.allSatisfy { entry in beyond.contains { entry.message.contains($0) } }
    } catch {
      return false
    }
  }

  @Test("Every example is accepted by the reader, and names the schema", arguments: Examples.names)
  func examples(name: String) throws {
    let text = try Examples.text(name)
    let graph = try GraphReader(file: name, directory: Examples.folder.path) { path in
      FileManager.default.fileExists(atPath: path)
    }.graph(from: Array(text.utf8))

    #expect(graph.nodes.count > 1)
    #expect(text.contains(#""$schema": "opgraph.schema.json""#))
  }

  @Test("There are examples")
  func thereAreExamples() {
    #expect(Examples.names.count >= 2)
  }
}
