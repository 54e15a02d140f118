// What the code of the article takes as given.

import StructuredOperations
import StructuredOperationsTesting
import Synchronization

final class Store: Sendable {
  private let pages = Mutex<[String]>([])

  var count: Int { pages.withLock { $0.count } }

  func insert(_ page: String) async {
    await Task.yield()
    pages.withLock { $0.append(page) }
  }
}

func load(_ page: String) async throws -> String {
  await Task.yield()
  return page
}
