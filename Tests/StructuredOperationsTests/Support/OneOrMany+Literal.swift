@testable import StructuredOperations

extension OneOrMany: ExpressibleByArrayLiteral {
  init(arrayLiteral elements: Element...) { self.init(elements) }
}
