// What the code of the article takes as given.

import Foundation
import StructuredOperations

func download(_ url: URL) async throws -> Data { Data() }
func load(_ key: String) throws -> Data { Data() }
func compact() throws -> Int { 0 }

let image = URL(filePath: "/image")
let page = URL(filePath: "/page")
let images = AsyncOperationQueue()
let pages = AsyncOperationQueue()
let database = AsyncOperationQueue()
