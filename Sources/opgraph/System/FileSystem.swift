/// What the system says about paths.
enum FileSystem {
  /// Where files go that nobody names.
  static var temporaryFolder: String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return folder.isEmpty ? "/tmp" : folder
  }

  /// Whether there is something that is neither a regular file nor a directory, be it behind a symbolic link.
  static func isSpecial(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && ![S_IFREG, S_IFDIR].contains(information.st_mode & S_IFMT)
  }

  /// The path without symbolic links; nil if it leads nowhere.
  static func resolvedPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  static func isDirectory(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
  }
}
