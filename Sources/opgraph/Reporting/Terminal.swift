/// The terminal that the report goes to.
struct Terminal: Sendable {
  private let output: Descriptor

  /// Nil if the descriptor is not one.
  init?(_ output: Descriptor) {
    guard isatty(output.number) == 1 else { return nil }
    self.output = output
  }

  /// Its width as it is now: asked for each time, so that nobody has to be told when it changes.
  var columns: Int {
    var size = winsize()
    let usual = 80
    guard ioctl(output.number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return usual }
    return Int(size.ws_col)
  }
}
