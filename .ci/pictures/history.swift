// Reads a history and prints one of its exports: `history html|dot <history.json>`.

import Foundation
import StructuredOperationsInsight

@main enum Export {
  static func main() throws {
    let data = try Data(contentsOf: URL(filePath: CommandLine.arguments[2]))
    let history = try JSONDecoder().decode(OperationHistory.self, from: data)
    print(CommandLine.arguments[1] == "html" ? history.html() : history.dot(), terminator: "")
  }
}
