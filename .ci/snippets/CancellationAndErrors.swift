// What the code of the article takes as given.

import Foundation
import StructuredOperations

let url = URL(filePath: "/page")

func fetch(_ url: URL) async throws -> Data { Data() }
