// What the code of the article takes as given.

import StructuredOperations

let operations: [any OperationProtocol] = []
