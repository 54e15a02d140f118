/// Checks that the inputs and outputs of operations fit their order; asks no file system.
///
/// Two paths count as the same file if they are equal but for `.`, `..` and doubled slashes. Where a folder is a symbolic
/// link, its `..` is another one for the system.
struct FileLinks {
  /// What is wrong with an input or an output.
  struct Problem: Equatable {
    /// Counts the inputs of the first node, then its outputs, then those of the next node.
    let file: Int
    let message: String
  }

  /// An input that is an output of a node which is not one of those that its own node names.
  private struct Reading {
    let maker: Int
    let reader: Int
    let input: String
    let file: Int
  }

  let nodes: [Graph.Node]
  /// From each node to those that it comes after.
  let edges: CycleSearch.Edges
  /// The nodes, each behind those that it comes after.
  let order: [Int]

  /// In no order; O(nodes + edges), and as much again for every 64 nodes whose outputs others read that do not name them.
  var problems: [Problem] {
    var problems: [Problem] = []
    let makers = makers(&problems)
    if makers.isEmpty { return [] }
    return problems
      + unordered(readings(of: makers)).map { reading in
        Problem(
          file: reading.file,
          message: "operation \(nodes[reading.reader].id.quoted): input \(reading.input.quoted) is an output of "
            + "\(nodes[reading.maker].id.quoted), which it does not come after")
      }
  }

  /// By path, the node that has it as an output.
  private func makers(_ problems: inout [Problem]) -> [[UInt8]: Int] {
    var makers: [[UInt8]: Int] = [:]
    var file = 0
    for (number, node) in nodes.enumerated() {
      file += node.inputs.count
      for output in node.outputs {
        let path = Self.plainPath(node.path(of: output))
        if let maker = makers[path], maker != number {
          problems.append(
            Problem(
              file: file,
              message: "operation \(node.id.quoted): output \(output.quoted) is an output of "
                + "\(nodes[maker].id.quoted), too"))
        } else {
          makers[path] = number
        }
        file += 1
      }
    }
    return makers
  }

  private func readings(of makers: [[UInt8]: Int]) -> [Reading] {
    var readings: [Reading] = []
    // The last node that has been found to name it.
    var namedBy = [Int](repeating: -1, count: nodes.count)
    var file = 0
    for (number, node) in nodes.enumerated() {
      if !node.inputs.isEmpty {
        for case let target? in edges.targets(of: number) { namedBy[target] = number }
      }
      for input in node.inputs {
        if let maker = makers[Self.plainPath(node.path(of: input))], namedBy[maker] != number {
          readings.append(Reading(maker: maker, reader: number, input: input, file: file))
        }
        file += 1
      }
      file += node.outputs.count
    }
    return readings
  }

  /// Those whose node does not come after the maker through others either.
  ///
  /// Not by a search for each: behind a node that all others wait for, each of them would look through all.
  private func unordered(_ readings: [Reading]) -> [Reading] {
    var positions = [Int](repeating: 0, count: nodes.count)
    for (position, node) in order.enumerated() { positions[node] = position }
    let groups = Dictionary(grouping: readings, by: \.maker).sorted { positions[$0.key] < positions[$1.key] }
    // By node, a bit for each maker that is before it, or is the node itself; between the rounds all are 0.
    var before = [UInt64](repeating: 0, count: nodes.count)
    var unordered: [Reading] = []
    for start in stride(from: 0, to: groups.count, by: UInt64.bitWidth) {
      let batch = groups[start..<min(start + UInt64.bitWidth, groups.count)]
      let first = positions[groups[start].key]
      let last = batch.lazy.flatMap(\.value).map { positions[$0.reader] }.max() ?? first
      let range = order[first..<max(first, last + 1)]
      for (bit, group) in batch.enumerated() { before[group.key] = 1 << bit }
      for node in range {
        for case let target? in edges.targets(of: node) { before[node] |= before[target] }
      }
      for (bit, group) in batch.enumerated() {
        unordered += group.value.filter { before[$0.reader] & 1 << bit == 0 }
      }
      for node in range { before[node] = 0 }
      for group in batch { before[group.key] = 0 }
    }
    return unordered
  }

  /// The bytes of a path without `.`, `..` and doubled slashes, as far as these can be left out.
  private static func plainPath(_ path: String) -> [UInt8] {
    var names: [String] = []
    for name in path.namesOfPath where name != "." {
      if name != ".." {
        names.append(name)
      } else if let last = names.last, last != ".." {
        names.removeLast()
      } else if !path.isAbsolutePath {
        names.append(name)
      }
    }
    return Array(((path.isAbsolutePath ? "/" : "") + names.joined(separator: "/")).utf8)
  }
}
