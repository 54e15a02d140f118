/// The error that bodies of tests throw.
package struct Failure: Error, Hashable {
  package var code: Int

  package init(code: Int = 0) {
    self.code = code
  }
}
