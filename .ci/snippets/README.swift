// What the code of the page takes as given.

import Foundation
import StructuredOperations

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Image: Sendable {
  init(_ data: Data) {}
}

let url = URL(filePath: "/page")
let file = URL(filePath: "/file")
let pages: [URL] = []

@Sendable func show(_ image: Image) {}
func fetch(_ url: URL) async throws -> Data { Data() }
func index(_ page: URL) async throws {}
func digest(_ file: URL) -> String { "" }
func compact() async {}
