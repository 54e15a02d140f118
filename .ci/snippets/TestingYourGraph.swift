// What the code of the article takes as given.

import StructuredOperations
import StructuredOperationsTesting
import Testing

struct Page: Sendable {
  static let samples: [Page] = []
  func download() async throws -> String { "" }
}
actor Store {
  func insert(_ text: String) throws {}
}
extension Store {
  nonisolated var pages: [Page] { [] }
}
struct Server: Sendable {
  init(answersAt attempt: Int, clock: VirtualClock) {}
  func answer() async throws -> String { "" }
}

let executor = SeededExecutor(seed: 1)
let recorder = OperationRecorder<String>()
let queue = AsyncOperationQueue(executor: executor)
let file = "file"
func send(_ file: String) async throws {}
