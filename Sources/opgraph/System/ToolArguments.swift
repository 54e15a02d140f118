/// The words that the tool was started with.
///
/// On Linux `CommandLine` reads them from `/proc`, and has none where that is not mounted, or is of other processes. So they
/// are looked for in memory first, where the system has left them: their number, they themselves, nil, and the environment.
enum ToolArguments {
  /// The words behind the name of the program; to be asked for before the environment is changed.
  ///
  /// Throws ``InputError`` if they cannot be found, or one of them is no UTF-8.
  static func words() throws -> [String] {
    try text(of: pointers)
  }

  private static var pointers: [UnsafeMutablePointer<CChar>] {
    #if os(Linux)
      let found = list(before: ToolEnvironment.block)
      if !found.isEmpty { return found }
    #endif
    return (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
  }

  /// The strings that lie before an environment, with the name of the program; none if what lies there is something else.
  ///
  /// An environment that the program has moved does not have them. They are believed only if each string begins behind the
  /// one before it, as the system puts them, and their number is before them. So the search ends, and reads no further than
  /// to where the program began.
  static func list(before environment: ToolEnvironment.Block?) -> [UnsafeMutablePointer<CChar>] {
    guard let environment, environment[-1] == nil else { return [] }
    var strings: [UnsafeMutablePointer<CChar>] = []
    var end = environment[0].map { UInt(bitPattern: $0) } ?? UInt.max
    while true {
      let entry = environment[-2 - strings.count]
      let address = UInt(bitPattern: entry)
      if address == UInt(strings.count) { return strings.reversed() }
      guard let entry, address > UInt(bitPattern: environment), address < end else { return [] }
      strings.append(entry)
      end = address
    }
  }

  /// The text of all strings but the first.
  ///
  /// Throws ``InputError``.
  static func text(of strings: [UnsafeMutablePointer<CChar>]) throws -> [String] {
    // Without this a run of `opgraph -n` would be one of the graph.
    guard !strings.isEmpty else { throw InputError("cannot read the arguments") }
    return try strings.enumerated().dropFirst().map { number, string in
      guard let text = String(validatingCString: string) else {
        throw InputError("argument \(number), \(String(cString: string).quoted), is no UTF-8")
      }
      return text
    }
  }
}
