/// What the environment says of the terminal.
struct TerminalKind {
  /// Whether it takes sequences that move the cursor and erase, and so also colours.
  let movesCursor: Bool

  init(_ environment: [String: String]) {
    movesCursor = !["", "dumb"].contains(environment["TERM", default: ""])
  }
}
