/// Where an operation was made, for messages about operations without a name.
struct CreationSite: Sendable {
  /// The address of the file's name, a string literal, which lives as long as the program.
  ///
  /// A `StaticString` would take 17 bytes of each operation.
  private let fileAddress: UInt
  private let line: UInt32

  init(file: StaticString, line: UInt) {
    fileAddress = UInt(bitPattern: file.utf8Start)
    self.line = UInt32(clamping: line)
  }
}

extension CreationSite: CustomStringConvertible {
  /// The file and the line, as in `Crawler/main.swift:42`.
  var description: String {
    let file = UnsafePointer<CChar>(bitPattern: fileAddress).map { String(cString: $0) }
    // A journal asks for each operation without a name: an interpolation would take ten times as long.
    return (file ?? "an unknown file") + ":" + String(line)
  }
}
