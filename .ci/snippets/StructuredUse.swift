// What the code of the article takes as given.

import Foundation
import StructuredOperations

struct Image: Sendable {}
struct Job: Sendable {
  var name = "job"
  func perform() async throws {}
}

func compress(_ file: URL) throws {}
func fetch(_ url: URL) async throws -> Data { Data() }
func scale(_ data: Data) throws -> Image { Image() }

let downloads = AsyncOperationQueue()
