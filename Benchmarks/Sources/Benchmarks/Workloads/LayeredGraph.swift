/// A random graph in layers; the same seed gives the same graph.
struct LayeredGraph: Sendable {
  /// The numbers of the nodes that each node depends on: distinct nodes of the layer before.
  let dependencies: [[Int]]

  init(layerCount: Int, layerSize: Int, dependencyCount: Int, seed: UInt64) {
    precondition(dependencyCount <= layerSize, "there are not enough nodes in a layer")
    var generator = SeededGenerator(seed: seed)
    var dependencies = [[Int]](repeating: [], count: layerSize)
    for layer in 1..<layerCount {
      let before = (layer - 1) * layerSize..<layer * layerSize
      for _ in 0..<layerSize {
        var chosen: [Int] = []
        while chosen.count < dependencyCount {
          let node = Int.random(in: before, using: &generator)
          if !chosen.contains(node) { chosen.append(node) }
        }
        dependencies.append(chosen)
      }
    }
    self.dependencies = dependencies
  }
}
