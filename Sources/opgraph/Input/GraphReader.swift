/// Reads a graph from JSON text, and finds all mistakes in it.
///
/// What is said of a node goes before what is said of all in the defaults; of `env`, variable by variable. The launcher
/// is the node's own, else that of the first of its pools that has one, else that of the defaults, else that at the
/// top; an empty one is one, too.
struct GraphReader {
  /// The name in error messages.
  let file: String
  /// The base of relative directories in the graph.
  let directory: String
  /// A parameter, so that tests need no file system.
  let isDirectory: (String) -> Bool

  /// Throws ``InputErrors``; O(n).
  func graph(from bytes: [UInt8]) throws -> Graph {
    var builder = GraphBuilder(
      reader: NodeReader(directory: directory, isDirectory: isDirectory), positions: TextPositions(bytes))
    var graph: Graph?
    do {
      let root = try JSONParser.value(of: bytes, passingElementsOf: GraphKey.operations.rawValue) { builder.add($0) }
      graph = Self.graph(root, &builder)
    } catch let mistake as Mistake {
      // What the text says after it cannot be known.
      builder.reader.values.mistakes.add(mistake)
    }
    try builder.reader.values.mistakes.throwIfAny(inText: bytes, named: file)
    guard let graph else { preconditionFailure("there is no graph although nothing is wrong") }
    return graph
  }

  /// The graph of the operations in the builder and what stands beside them at the top; nil where that is no object.
  private static func graph(_ root: JSONValue, _ builder: inout GraphBuilder) -> Graph? {
    guard let object = builder.reader.values.object(root, keys: GraphKey.allCases) else { return nil }
    if let schema = object[.schema] { _ = builder.reader.values.string(schema, GraphKey.schema.rawValue) }
    let launcher = object[.launcher].flatMap { builder.reader.values.strings($0, "launcher")?.strings }
    let pools = object[.pools].map { PoolTable($0, values: &builder.reader.values) } ?? PoolTable()
    var defaults = NodeSettings()
    if let value = object[.defaults], let keys = builder.reader.values.object(value, keys: NodeKey.ofDefaults) {
      defaults = builder.reader.settings(keys, of: nil)
    }
    if let operations = builder.reader.values.required(.operations, in: object) {
      // The elements of an array have been passed to the builder already.
      _ = builder.reader.values.elements(operations, GraphKey.operations.rawValue)
    }
    let nodes = builder.finishedNodes(defaults: defaults, pools: pools, launcher: launcher ?? [])
    return Graph(nodes: nodes, pools: pools.pools)
  }
}
