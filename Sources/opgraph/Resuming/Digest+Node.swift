extension Digest {
  /// What the success of an operation depends on.
  ///
  /// The variables of the tool are no part of it, nor is what only says when and how often a command runs.
  ///
  /// - Parameters:
  ///   - base: The folder of the graph; other folders count relative to it, from wherever the tool is started.
  ///   - numbers: Those of the successes of its predecessors.
  ///   - inputTimes: In the order of its inputs.
  init(of node: Graph.Node, base: String, after numbers: some Sequence<UInt64>, inputTimes: [FileTime?]) {
    self.init()
    add(node.run)
    add(Self.path(of: node.directory, relativeTo: base))
    add(UInt64(node.launcher.count))
    for word in node.launcher { add(word) }
    add(UInt64(node.environment.count))
    for (name, value) in node.environment.sorted(by: { $0.key < $1.key }) {
      add(name)
      add(value == nil ? 0 : 1)
      add(value ?? "")
    }
    // In one order: that of the list changes nothing.
    let numbers = Set(numbers).sorted()
    add(UInt64(numbers.count))
    for number in numbers { add(number) }
    add(UInt64(node.inputs.count))
    for (input, time) in zip(node.inputs, inputTimes) {
      add(input)
      add(UInt64(bitPattern: Int64(time?.seconds ?? -1)))
      add(UInt64(time?.nanoseconds ?? 0))
    }
    add(UInt64(node.outputs.count))
    for output in node.outputs { add(output) }
  }

  private static func path(of directory: String, relativeTo base: String) -> String {
    if directory.utf8.elementsEqual(base.utf8) { return "." }
    return directory.rest(behind: base.endsWithSlash ? base : base + "/") ?? directory
  }
}
