import Foundation

/// The article on the tool.
enum Article {
  static let file = Examples.package
    .appendingPathComponent("Sources/StructuredOperations/Documentation.docc/Opgraph.md")

  /// The blocks of code in a language, without their fences.
  static func blocks(in language: String) throws -> [String] {
    var blocks: [String] = []
    var block: [Substring]?
    let text = try String(contentsOf: file, encoding: .utf8)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      switch (block, line) {
      case (let lines?, "```"):
        blocks.append(lines.joined(separator: "\n"))
        block = nil
      case (_?, _): block?.append(line)
      case (nil, "```\(language)"): block = []
      case (nil, _): break
      }
    }
    return blocks
  }
}
