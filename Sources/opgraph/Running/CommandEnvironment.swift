/// The variables of a command: those of the tool with changes.
///
/// Those of the tool are passed on as they are, also if they are not UTF-8.
struct CommandEnvironment {
  /// Nil removes a variable.
  let changes: [String: String?]

  /// Calls `body` with the list for the system, which is valid until it returns.
  func withBlock<Result>(_ body: (ToolEnvironment.Block?) throws -> Result) rethrows -> Result {
    guard !changes.isEmpty else { return try body(ToolEnvironment.block) }
    let added = CStrings(changes.compactMap { name, value in value.map { "\(name)=\($0)" } })
    return try added.withPointers { added in
      var entries: [UnsafeMutablePointer<CChar>?] = []
      ToolEnvironment.forEach(in: ToolEnvironment.block) { entry in
        if !isChanged(entry) { entries.append(entry) }
      }
      ToolEnvironment.forEach(in: added) { entries.append($0) }
      entries.append(nil)
      return try entries.withUnsafeMutableBufferPointer { try body($0.baseAddress) }
    }
  }

  private func isChanged(_ entry: UnsafeMutablePointer<CChar>) -> Bool {
    guard let end = strchr(entry, Int32(UInt8(ascii: "="))) else { return false }
    let name = UnsafeRawBufferPointer(start: entry, count: UnsafePointer(end) - UnsafePointer(entry))
    return changes.keys.contains { $0.utf8.elementsEqual(name) }
  }
}
