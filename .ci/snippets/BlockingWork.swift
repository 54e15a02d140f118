// What the code of the article takes as given.

import Foundation
import StructuredOperations

struct Page: Sendable {}

@MainActor final class Label {
  var text = ""
}

func download(_ url: URL) async throws -> Data { Data() }
func parse(_ page: Data) throws -> Page { Page() }

let url = URL(filePath: "/page")
let queue = AsyncOperationQueue()
@MainActor let label = Label()
