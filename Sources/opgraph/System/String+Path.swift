/// Paths, taken apart by their bytes, as the system does: a `/` and a combining mark behind it are one `Character`.
extension String {
  var isAbsolutePath: Bool { utf8.first == Self.slash }

  var endsWithSlash: Bool { utf8.last == Self.slash }

  /// All up to the last slash, with it; nil if there is none.
  var folderOfPath: String? {
    utf8.lastIndex(of: Self.slash).map { String(Substring(utf8[...$0])) }
  }

  /// All behind the last slash.
  var nameInFolder: String {
    guard let slash = utf8.lastIndex(of: Self.slash) else { return self }
    return String(Substring(utf8[utf8.index(after: slash)...]))
  }

  /// The names between the slashes.
  var namesOfPath: [String] { utf8.split(separator: Self.slash).map { String(Substring($0)) } }

  /// What is behind a text that this one begins with; nil if it does not.
  func rest(behind start: String) -> String? {
    guard utf8.starts(with: start.utf8) else { return nil }
    return String(Substring(utf8.dropFirst(start.utf8.count)))
  }

  private static let slash = UInt8(ascii: "/")
}
