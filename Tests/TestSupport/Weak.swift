/// A weak reference, which can be stored in a collection.
package struct Weak: Sendable {
  package weak var object: (any AnyObject & Sendable)?

  package init(_ object: any AnyObject & Sendable) {
    self.object = object
  }
}
