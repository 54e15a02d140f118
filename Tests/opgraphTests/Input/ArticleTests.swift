import Foundation
import Testing

@testable import opgraph

/// What the article shows is what the tool takes.
@Suite("the article on opgraph")
struct ArticleTests {
  @Test("Every graph in it is accepted")
  func graphs() throws {
    let graphs = try Article.blocks(in: "json").filter { $0.contains("\"operations\"") }
    #expect(graphs.count >= 2)
    for graph in graphs {
      let reader = GraphReader(file: "the article", directory: ".", isDirectory: { _ in true })
      #expect(throws: Never.self, "\(graph)") { try reader.graph(from: Array(graph.utf8)) }
    }
  }

  @Test("Its tables have all keys and options, and no others")
  func tables() throws {
    let keys = try Set(rows(under: "### Keys of the file"))
    #expect(keys == Set(GraphKey.allCases.map(\.rawValue) + NodeKey.allCases.map(\.rawValue)))
    let options = try rows(under: "### Options").filter { $0.hasPrefix("--") }.map {
      $0.dropFirst(2).prefix { $0 != " " && $0 != "[" }
    }
    #expect(Set(options.map(String.init)) == Set(Option.allCases.map(\.rawValue)))
  }

  /// The code in the first cells of the tables of a section.
  private func rows(under heading: String) throws -> [String] {
    let lines = try String(contentsOf: Article.file, encoding: .utf8).split(separator: "\n")
    return lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("### ") }
      .filter { $0.hasPrefix("| `") }
      .flatMap { $0.split(separator: "|")[0].split(separator: "`").enumerated().filter { $0.offset % 2 == 1 } }
      .map { String($0.element) }
  }
}
