// What the code of the article takes as given.

import StructuredOperations

struct Page: Sendable {}
struct Session: Sendable {
  func page() async throws -> Page { Page() }
}

func logIn() async throws -> Session { Session() }
@Sendable func log(_ outcome: OperationOutcome<Page>) {}
let warmUp = AsyncOperation {}
let queue = AsyncOperationQueue()
