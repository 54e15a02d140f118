import Foundation

/// The variables of a command: those of the tool with changes.
///
/// Foundation's dictionary has no entries that are not UTF-8, so those of the tool are passed on as they are.
struct CommandEnvironment {
  /// Nil removes a variable.
  let changes: [String: String?]

  typealias Block = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  /// Calls `body` with the list for the system, which is valid until it returns.
  func withBlock<Result>(_ body: (Block?) throws -> Result) rethrows -> Result {
    guard !changes.isEmpty else { return try body(Self.ofTool) }
    let added = CStrings(changes.compactMap { name, value in value.map { "\(name)=\($0)" } })
    return try added.withPointers { added in
      var entries: [UnsafeMutablePointer<CChar>?] = []
      Self.forEach(in: Self.ofTool) { entry in
        if !isChanged(entry) { entries.append(entry) }
      }
      Self.forEach(in: added) { entries.append($0) }
      entries.append(nil)
      return try entries.withUnsafeMutableBufferPointer { try body($0.baseAddress) }
    }
  }

  private func isChanged(_ entry: UnsafeMutablePointer<CChar>) -> Bool {
    guard let end = strchr(entry, Int32(UInt8(ascii: "="))) else { return false }
    let name = UnsafeRawBufferPointer(start: entry, count: UnsafePointer(end) - UnsafePointer(entry))
    return changes.keys.contains { $0.utf8.elementsEqual(name) }
  }

  private static func forEach(in block: Block?, _ body: (UnsafeMutablePointer<CChar>) -> Void) {
    guard var next = block else { return }
    while let entry = next.pointee {
      body(entry)
      next += 1
    }
  }

  private static var ofTool: Block? {
    #if canImport(Darwin)
      _NSGetEnviron().pointee
    #else
      environ
    #endif
  }
}
