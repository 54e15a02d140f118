// What the code in the documentation comments takes as given.

import StructuredOperations
import StructuredOperationsTesting
import Testing

let file = "file"
let operation = AsyncOperation {}
let download = AsyncOperation {}
let resize = AsyncOperation {}
func send(_ file: String) async throws {}
let queue = AsyncOperationQueue()
