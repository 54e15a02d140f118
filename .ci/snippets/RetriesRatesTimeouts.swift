// What the code of the article takes as given.

import StructuredOperations

struct Data: Sendable {}
struct Image: Sendable {}
struct WrongAddress: Error {}

func fetch(_ url: String) async throws -> Data { Data() }
func render(_ data: Data) throws -> Image { Image() }
func compile(_ target: String) async throws -> Data { Data() }
func link(_ objects: Data) throws -> Data { objects }
func index(_ data: Data) {}
