// What the code of the article takes as given.

import StructuredOperations

struct Data: Sendable {}
struct Image: Sendable {}
struct WrongAddress: Error {}

struct OldTask: Sendable { func cancel() {} }
func oldFetch(_ url: String, then call: @escaping @Sendable (Result<Data, any Error>) -> Void) -> OldTask { OldTask() }
func fetch(_ url: String) async throws -> Data { Data() }
func render(_ data: Data) throws -> Image { Image() }
func compile(_ target: String) async throws -> Data { Data() }
func link(_ objects: Data) throws -> Data { objects }
func index(_ data: Data) {}
