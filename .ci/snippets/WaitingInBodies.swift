// What the code of the article takes as given.

import StructuredOperations

struct Folder: Sendable {
  var ownSize = 0
  var subfolders: [Folder] = []
}

let queue = AsyncOperationQueue()
let host = AsyncOperationQueue(maxConcurrentOperationCount: 2)
let all = AsyncOperationQueue(maxConcurrentOperationCount: 8)
let url = "https://example.org"
func fetch(_ url: String) async throws {}

let outbox = AsyncOperationQueue(maxConcurrentOperationCount: 1)
let messages = ["one", "two"]
let policy = OperationRetryPolicy.constant(.milliseconds(1), attempts: 3)
func send(_ message: String) async throws {}
