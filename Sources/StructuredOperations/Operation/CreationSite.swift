/// Where an operation was made, for messages about operations without a name.
package struct CreationSite: Sendable {
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

extension CreationSite {
  /// What messages call an operation without a name.
  package var label: String { "AsyncOperation at \(self)" }
}

extension OperationProtocol {
  /// Where the operation was made.
  package nonisolated var creationSite: CreationSite { storage.site }
}

extension CreationSite: CustomStringConvertible {
  /// The file and the line, as in `Crawler/main.swift:42`.
  package var description: String {
    let file = UnsafePointer<CChar>(bitPattern: fileAddress).map { String(cString: $0) }
    return "\(file ?? "an unknown file"):\(line)"
  }
}
