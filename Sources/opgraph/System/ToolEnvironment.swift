/// The variables that the tool was started with.
enum ToolEnvironment {
  /// A list as the system has it: `NAME=VALUE`, with nil at the end.
  typealias Block = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  static var block: Block? {
    #if canImport(Darwin)
      _NSGetEnviron().pointee
    #else
      environ
    #endif
  }

  /// As text, by name.
  static var variables: [String: String] {
    var variables: [String: String] = [:]
    forEach(in: block) { entry in
      let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
    }
    return variables
  }

  static func forEach(in block: Block?, _ body: (UnsafeMutablePointer<CChar>) -> Void) {
    guard var next = block else { return }
    while let entry = next.pointee {
      body(entry)
      next += 1
    }
  }
}
