// What the code of the articles with recipes takes as given.

import StructuredOperations

struct Data: Sendable {}
struct Image: Sendable {}
struct Page: Sendable {
  var style = Data()
  var images: [Image] = []
}

struct WrongAddress: Error {}

nonisolated func fetch(_ url: String) async throws -> Data { Data() }
@discardableResult
nonisolated func send(_ data: Data) async throws -> Data { data }
nonisolated func render(_ data: Data) throws -> Image { Image() }
nonisolated func prepare(_ data: Data) -> Data { data }
nonisolated func load(_ key: String) throws -> Data { Data() }
nonisolated func store(_ data: Data, _ key: String) throws {}
nonisolated func verify(_ key: String) throws {}
nonisolated func compact() throws -> Int { 0 }
nonisolated func compile(_ target: String) async throws -> Data { Data() }
nonisolated func link(_ objects: Data) throws -> Data { objects }
nonisolated func index(_ data: Data) {}
nonisolated func removeTemporaryFiles() {}
