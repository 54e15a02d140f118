import Foundation
import StructuredOperationsTesting

/// A graph of commands that make files from others, and what these have to be.
struct RandomGraph {
  struct Operation {
    let id: String
    var text: String
    /// Sources, and outputs of those that come before.
    var inputs: [String]
    var outputs: [String]
    /// Comes after these, and reads their outputs without saying so.
    var after: [String]
  }

  /// What the command of an operation finds under ``name(for:)`` has it do something else.
  enum Order: String, CaseIterable {
    /// To fail, with its first output made and others not.
    case fail
    /// To kill the tool, and leave its outputs half made.
    case kill
    /// To change the first source once it has read its inputs.
    case edit

    func name(for id: String) -> String { "\(self).\(id)" }
  }

  static let sources = (0..<4).map { "s\($0)" }

  private(set) var operations: [Operation] = []
  private var madeCount = 0
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    for _ in 0..<Int.random(in: 2...8, using: &generator) { addOperation() }
  }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
  mutating func anyOperation() -> Int { number(operations.indices) }
  mutating func anySource() -> String { Self.sources[number(Self.sources.indices)] }

  mutating func addOperation() {
    let number = madeCount
    madeCount += 1
    var operation = Operation(id: "o\(number)", text: "t", inputs: [], outputs: ["f\(number)"], after: [])
    if generator.oneIn(4) { operation.outputs.append("g\(number)") }
    operations.append(operation)
    changeInputs(of: operations.endIndex - 1)
  }

  mutating func removeOperation(_ index: Int) {
    guard operations.count > 1 else { return }
    operations.remove(at: index)
    forgetWhatIsNotThere()
  }

  mutating func changeText(of index: Int) { operations[index].text = "t\(number(0..<3))" }

  mutating func changeInputs(of index: Int) {
    let files = Self.sources + operations[..<index].flatMap(\.outputs)
    operations[index].inputs = (0..<number(0..<3)).reduce(into: []) { inputs, _ in
      let file = files[number(files.indices)]
      if !inputs.contains(file) { inputs.append(file) }
    }
    operations[index].after = operations[..<index].map(\.id).filter { _ in generator.oneIn(5) }
  }

  mutating func changeOutputs(of index: Int) {
    if operations[index].outputs.count > 1 {
      operations[index].outputs.remove(at: number(0..<2))
    } else {
      operations[index].outputs.append("\(operations[index].outputs[0])x")
    }
    forgetWhatIsNotThere()
  }

  private mutating func forgetWhatIsNotThere() {
    var (files, ids) = (Set(Self.sources), Set<String>())
    for index in operations.indices {
      operations[index].inputs.removeAll { !files.contains($0) }
      operations[index].after.removeAll { !ids.contains($0) }
      files.formUnion(operations[index].outputs)
      ids.insert(operations[index].id)
    }
  }

  func outputs(of id: String) -> [String] { operations.first { $0.id == id }?.outputs ?? [] }

  private func files(readBy operation: Operation) -> [String] {
    operation.inputs + operation.after.flatMap(outputs(of:))
  }

  /// What each output has to be where the sources are these.
  func outputs(of sources: [String: String]) -> [String: String] {
    var texts = sources
    for operation in operations {
      let text = operation.text + "(" + files(readBy: operation).map { texts[$0] ?? "" }.joined() + ")"
      for output in operation.outputs { texts[output] = text }
    }
    return texts.filter { sources[$0.key] == nil }
  }

  /// The graph as the tool reads it.
  func json() throws -> Data {
    let objects = operations.map { operation -> [String: Any] in
      let makers = operations.filter { !$0.outputs.allSatisfy { !operation.inputs.contains($0) } }.map(\.id)
      return [
        "id": operation.id, "run": command(of: operation), "inputs": operation.inputs, "outputs": operation.outputs,
        "after": Array(Set(makers + operation.after)).sorted(),
      ]
    }
    return try JSONSerialization.data(withJSONObject: ["operations": objects], options: [.sortedKeys])
  }

  private func command(of operation: Operation) -> String {
    func asked(_ order: Order, _ command: String) -> String {
      "if [ -e \(order.name(for: operation.id)) ]; then \(command); fi"
    }
    var lines = operation.outputs.map { "echo half >\($0)" }
    lines.append(asked(.kill, "kill -9 $PPID; exit"))
    let inputs = files(readBy: operation).joined(separator: " ")
    lines.append("all=$(printf '\(operation.text)('; cat \(inputs) /dev/null; printf ')')")
    // A file whose time is the one that it had before would not have changed. Not for ever where a clock was set back.
    let source = Self.sources[0]
    let edit = "printf 'by \(operation.id)' >\(source)"
    lines.append(
      asked(
        .edit, "cp -p \(source) old; \(edit); until [ \(source) -nt old ] || [ \(source) -ot old ]; do \(edit); done"))
    lines.append("printf %s \"$all\" >\(operation.outputs[0])")
    lines.append(asked(.fail, "exit 1"))
    lines += operation.outputs.dropFirst().map { "printf %s \"$all\" >\($0)" }
    return lines.joined(separator: "\n")
  }
}
