import Testing

@testable import opgraph

@Suite("GraphDrawing")
struct GraphDrawingTests {
  private let drawing = GraphDrawing(
    graph: Graph(nodes: [
      Graph.Node(id: #"say "hi\n" & <b>"#, run: ":", after: ["compile src/ä.c", "c"]),
      Graph.Node(id: "compile src/ä.c", run: ":"),
      Graph.Node(id: "c", run: ":", after: ["compile src/ä.c"]),
    ]))

  @Test("DOT has a node for each operation, an edge from each dependency, and ids that are read as they are")
  func dot() {
    #expect(
      drawing.dot == #"""
        digraph operations {
          rankdir=LR
          node [shape=box, style=rounded, fontname="sans-serif"]
          n0 [label="say \"hi\\n\" &amp; <b>"]
          n1 [label="compile src/ä.c"]
          n2 [label="c"]
          n1 -> n0
          n2 -> n0
          n1 -> n2
        }

        """#)
  }

  @Test("DOT shows as much of an id as Graphviz reads")
  func longID() {
    let drawing = GraphDrawing(graph: Graph(nodes: [Graph.Node(id: String(repeating: "&", count: 20_000), run: ":")]))
    #expect(drawing.dot.contains("&amp;…\"]") && drawing.dot.utf8.count < 16_384)
  }

  @Test("In DOT a quote with a combining sign after it is a quote")
  func combining() {
    let drawing = GraphDrawing(graph: Graph(nodes: [Graph.Node(id: "a\"\u{301}\\\u{301}&\u{301}", run: ":")]))
    #expect(drawing.dot.unicodeScalars.contains("a\\\"\u{301}\\\\\u{301}&amp;\u{301}".unicodeScalars))
  }

  @Test("Mermaid has the same, with entities for what means something to it")
  func mermaid() {
    #expect(
      drawing.mermaid == #"""
        flowchart LR
          n0["say #34;hi#92;n#34; #38; #60;b#62;"]
          n1["compile src/ä.c"]
          n2["c"]
          n1 --> n0
          n2 --> n0
          n1 --> n2

        """#)
  }

  @Test(
    "Each character with a meaning is an entity in Mermaid",
    arguments: Array("\"#&<>`;\\*_~{}[]()|'%$!?=+^@"))
  func escapes(character: Character) throws {
    let value = try #require(character.unicodeScalars.first).value
    let drawing = GraphDrawing(graph: Graph(nodes: [Graph.Node(id: "a\(character)b", run: ":")]))
    #expect(drawing.mermaid == "flowchart LR\n  n0[\"a#\(value);b\"]\n")
  }

  @Test(
    "No id is the beginning of a list in Mermaid, which would draw another text in its place",
    arguments: [
      ("1. a", "1#46; a"), ("12.", "12#46;"), ("- b", "#45; b"), ("+ c", "#43; c"), ("--x", "#45;-x"),
      ("v1.2 - x", "v1.2 - x"), ("1 . 2", "1 . 2"), (".a", ".a"),
    ])
  func lists(id: String, text: String) {
    let drawing = GraphDrawing(graph: Graph(nodes: [Graph.Node(id: id, run: ":")]))
    #expect(drawing.mermaid == "flowchart LR\n  n0[\"\(text)\"]\n")
  }
}
