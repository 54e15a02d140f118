// What the code in the documentation comments takes as given.

import Foundation
import StructuredOperations
import StructuredOperationsInsight

let journal = OperationJournal()
let operations: [any OperationProtocol] = []
let page = URL(filePath: "/")
