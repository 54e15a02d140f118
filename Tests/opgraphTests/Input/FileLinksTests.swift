import Testing

@testable import opgraph

@Suite("FileLinks")
struct FileLinksTests {
  private func node(
    _ id: String, after: [String] = [], in inputs: [String] = [], out outputs: [String] = [], directory: String = "."
  ) -> Graph.Node {
    Graph.Node(id: id, run: ":", after: after, directory: directory, inputs: inputs, outputs: outputs)
  }

  private func problems(_ nodes: [Graph.Node]) -> [FileLinks.Problem] {
    let numbers = Dictionary(uniqueKeysWithValues: zip(nodes.lazy.map(\.id), nodes.indices))
    var edges = CycleSearch.Edges()
    for node in nodes {
      for id in node.after { edges.add(to: numbers[id]) }
      edges.endNode()
    }
    var search = CycleSearch(edges)
    #expect(search.cycles(limit: 1).isEmpty)
    return FileLinks(nodes: nodes, edges: edges, order: search.order).problems.sorted { $0.file < $1.file }
  }

  // MARK: Outputs

  @Test("Each further operation with an output of another is told, with the number of the file")
  func sameOutput() {
    let nodes = [
      node("a", in: ["x"], out: ["a.o", "config.h"]), node("b", in: ["x", "y"], out: ["config.h", "b.o"]),
      node("c", out: ["c.o", "config.h"]),
    ]
    #expect(
      problems(nodes) == [
        FileLinks.Problem(file: 5, message: #"operation "b": output "config.h" is an output of "a", too"#),
        FileLinks.Problem(file: 8, message: #"operation "c": output "config.h" is an output of "a", too"#),
      ])
  }

  @Test("An operation may name its output twice, and as its input")
  func own() {
    #expect(problems([node("a", in: ["x"], out: ["x", "./x"])]).isEmpty)
  }

  @Test(
    "Paths are compared without what says nothing",
    arguments: [
      ("./x", "x"), ("a//x", "a/x"), ("a/../x", "x"), ("a/./b/../../x", "x"), ("../x", ".././x"),
      ("../../x", "../.././x"),
      ("a/../../x", "../x"), ("/a/x", "//a/./x"), ("/../x", "/x"),
    ])
  func samePath(first: String, second: String) {
    #expect(problems([node("a", out: [first]), node("b", out: [second])]).count == 1)
  }

  @Test(
    "Others are not the same",
    arguments: [
      ("x", "/x"), ("x", "../x"), ("../x", "../../x"), ("a/x", "ax"), ("a", "a/b"), ("x", "X"), ("..x", "x"),
      // The same text for Swift, and two files.
      ("\u{E9}", "e\u{301}"),
    ])
  func otherPath(first: String, second: String) {
    #expect(problems([node("a", out: [first]), node("b", out: [second])]).isEmpty)
  }

  @Test("Paths are relative to the directories of their operations")
  func directories() {
    #expect(problems([node("a", out: ["x"], directory: "s/a"), node("b", out: ["x"], directory: "s/b")]).isEmpty)
    #expect(
      problems([node("a", out: ["x"], directory: "s/a/"), node("b", out: ["../a/x"], directory: "s/b")]).count == 1)
    #expect(problems([node("a", out: ["/x"], directory: "s"), node("b", out: ["/x"])]).count == 1)
  }

  // MARK: Inputs

  @Test("An input that is an output of an operation needs that before it, directly or through others")
  func before() {
    #expect(problems([node("use", after: ["gen"], in: ["x"]), node("gen", out: ["x"])]).isEmpty)
    let through = [
      node("use", after: ["c", "d"], in: ["x"]), node("c"), node("d", after: ["e"]), node("e", after: ["gen"]),
      node("gen", out: ["x"]),
    ]
    #expect(problems(through).isEmpty)
    #expect(problems([node("use", in: ["x"]), node("other", out: ["y"])]).isEmpty)
  }

  @Test("Where it is not before it, that is told, wherever the two stand", arguments: [false, true])
  func notBefore(isReversed: Bool) {
    let nodes = [node("use", in: ["y", "gen.txt"]), node("gen", out: ["gen.txt"])]
    let message = #"operation "use": input "gen.txt" is an output of "gen", which it does not come after"#
    #expect(
      problems(isReversed ? nodes.reversed() : nodes)
        == [FileLinks.Problem(file: isReversed ? 2 : 1, message: message)])
  }

  @Test("Who comes after the same, or before it, does not come after it")
  func relatives() {
    let nodes = [
      node("root", in: ["x"]), node("gen", after: ["root"], out: ["x"]), node("sister", after: ["root"], in: ["x"]),
      node("niece", after: ["sister"], in: ["x"]), node("both", after: ["niece", "gen"], in: ["x"]),
      node("last", after: ["both"], in: ["x"]),
    ]
    #expect(problems(nodes).map(\.file) == [0, 2, 3])
  }

  /// Each one reads what the one with its number makes, but behind a node that comes after all makers but the last.
  @Test("Many makers are told from each other", arguments: [1, 2, 64, 65, 200])
  func many(count: Int) {
    let makers = (0..<count).map { node("gen \($0)", out: ["\($0)"]) }
    let gate = node("gate", after: makers.dropLast().map(\.id))
    let readers = (0..<count).map { node("use \($0)", after: ["gate"], in: ["\($0)"]) }
    let expected = [count + count - 1]
    #expect(problems(makers + [gate] + readers).map(\.file) == expected)
    // In another order, in which the readers come first.
    #expect(problems(readers.reversed() + [gate] + makers).map(\.file) == [0])
  }

  // MARK: Many

  @Test("A long chain that reads the first one's output takes no square of its length", .timeLimit(.minutes(1)))
  func longChain() {
    let nodes = (0..<100_000).map { number in
      node(
        "\(number)", after: number > 0 ? ["\(number - 1)"] : [], in: number > 0 ? ["first"] : [],
        out: number == 0 ? ["first"] : [])
    }
    #expect(problems(nodes).isEmpty)
  }

  @Test("Nor does one whose operations read what the last but one has made", .timeLimit(.minutes(1)))
  func grandparents() {
    let nodes = (0..<100_000).map { number in
      node(
        "\(number)", after: number > 0 ? ["\(number - 1)"] : [], in: number > 1 ? ["\(number - 2)"] : [],
        out: ["\(number)"])
    }
    #expect(problems(nodes).isEmpty)
  }
}
