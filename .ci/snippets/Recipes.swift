// What the code of the article takes as given.

import StructuredOperations
import Synchronization

struct Data: Sendable {}
struct Image: Sendable {}
struct Page: Sendable {
  var style = Data()
  var images: [Image] = []
}

func fetch(_ url: String) async throws -> Data { Data() }
@discardableResult func send(_ data: Data) async throws -> Data { data }
func render(_ data: Data) throws -> Image { Image() }
func prepare(_ data: Data) -> Data { data }
func load(_ key: String) throws -> Data { Data() }
func store(_ data: Data, _ key: String) throws {}
func verify(_ key: String) throws {}
func compact() throws -> Int { 0 }
func index(_ data: Data) {}
func removeTemporaryFiles() {}
