// Reads a history and prints one of its exports: `history html|dot <history.json> [<title of the page>]`.

import Foundation
import StructuredOperationsInsight

@main enum Export {
  static func main() throws {
    let data = try Data(contentsOf: URL(filePath: CommandLine.arguments[2]))
    let history = try JSONDecoder().decode(OperationHistory.self, from: data)
    let title = CommandLine.arguments.count > 3 ? CommandLine.arguments[3] : "Operations"
    print(CommandLine.arguments[1] == "html" ? history.html(title: title) : history.dot(), terminator: "")
  }
}
