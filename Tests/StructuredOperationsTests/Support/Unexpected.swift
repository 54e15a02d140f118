/// Ends a test whose subject returned something of another kind.
struct Unexpected: Error {
  let what: String

  init(_ what: String) {
    self.what = what
  }
}
