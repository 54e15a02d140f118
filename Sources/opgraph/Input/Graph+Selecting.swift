extension Graph {
  /// The operations with these ids and all that they need, in the order of the graph; the whole graph without ids.
  ///
  /// Throws ``InputError`` for an id that there is not. O(n).
  func selecting(_ ids: [String]) throws -> Graph {
    guard !ids.isEmpty else { return self }
    let numbers = Dictionary(uniqueKeysWithValues: zip(nodes.lazy.map(\.id), nodes.indices))
    var isSelected = [Bool](repeating: false, count: nodes.count)
    var rest = try ids.map { id in
      guard let number = numbers[id] else {
        throw InputError(
          "unknown operation \(id.quoted)" + (NearName.suggestion(for: id, in: nodes.lazy.map(\.id)) ?? ""))
      }
      return number
    }
    while let number = rest.popLast() {
      guard !isSelected[number] else { continue }
      isSelected[number] = true
      rest += nodes[number].after.compactMap { numbers[$0] }
    }
    return Graph(nodes: nodes.indices.filter { isSelected[$0] }.map { nodes[$0] }, pools: pools)
  }
}
