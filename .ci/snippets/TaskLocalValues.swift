// What the code of the article takes as given.

import StructuredOperations

struct Page: Sendable {}

let queue = AsyncOperationQueue()
let page = Page()
func index(_ page: Page) async throws {}

enum Tracing {
  @TaskLocal static var span = "no span"
}
