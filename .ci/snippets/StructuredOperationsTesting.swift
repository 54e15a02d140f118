// What the code of the article takes as given.

import StructuredOperations
import StructuredOperationsTesting
import Testing

let pages = ["page"]
func importAll(_ pages: [String], in queue: AsyncOperationQueue) async {}
