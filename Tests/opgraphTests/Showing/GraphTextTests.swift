import StructuredOperations
import Testing

@testable import opgraph

@Suite("GraphText")
struct GraphTextTests {
  private let graph = Graph(nodes: [
    Graph.Node(id: "link", run: "cc *.o", after: ["a", "b"]),
    Graph.Node(id: "a", run: "cc -c a.c", after: ["configure"]),
    Graph.Node(id: "b", run: "\ncc -c b.c\nstrip b.o\n", after: ["configure"], priority: .high),
    Graph.Node(id: "configure", run: "printf '\u{1B}[1m\t'"),
    Graph.Node(id: "docs", run: "", priority: .low),
  ])

  @Test("The list has the ids in the order of the file, and the first lines of the commands")
  func list() async {
    #expect(
      await GraphText(graph: graph).text(for: .list) == """
        link       cc *.o
        a          cc -c a.c
        b          cc -c b.c …
        configure  printf ' [1m '
        docs       \("")

        """)
  }

  @Test("The plan has an order in which they could run, with those of high priority before others")
  func plan() async throws {
    let text = try #require(await GraphText(graph: graph).text(for: .plan(RunOptions(width: 1))))
    #expect(
      text.split(separator: "\n").map { $0.prefix { $0 != " " } } == ["configure", "b", "a", "link", "docs"])
  }

  @Test("The plan of a large graph has each one once, after what it needs")
  func largePlan() async {
    let nodes = (0..<2000).map { number in
      Graph.Node(
        id: "\(number)", run: ":", after: [2 * number + 1, 2 * number + 2].filter { $0 < 2000 }.map(String.init),
        priority: [.low, .normal, .high][number % 3])
    }

    let order = await RunPlan(graph: Graph(nodes: nodes)).nodes()

    var seen: Set<String> = []
    for node in order {
      #expect(node.after.allSatisfy(seen.contains))
      seen.insert(node.id)
    }
    #expect(order.count == 2000 && seen.count == 2000)
  }

  @Test("A very long id pushes nobody else's command away")
  func longID() async {
    let graph = Graph(nodes: [
      Graph.Node(id: "a", run: "x"), Graph.Node(id: String(repeating: "b", count: 100), run: "y"),
    ])
    let lines = await GraphText(graph: graph).text(for: .list)?.split(separator: "\n").map(String.init)
    #expect(lines?.first == "a" + String(repeating: " ", count: 33) + "x")
    #expect(lines?.last == String(repeating: "b", count: 100) + "  y")
  }

  @Test("Commands stand in a column, however wide the characters of the ids are")
  func wideIDs() async throws {
    let ids = ["a", "日本", "fu\u{308}r", "👨‍👩‍👧‍👦"]
    let text = await GraphText(graph: Graph(nodes: ids.map { Graph.Node(id: $0, run: "x") })).text(for: .list)
    let lines = try #require(text).split(separator: "\n")
    #expect(lines.map(\.displayWidth) == [7, 7, 7, 7])
  }

  @Test("A run has no text of its own")
  func run() async {
    #expect(await GraphText(graph: graph).text(for: .run(RunOptions(width: 1))) == nil)
  }
}
