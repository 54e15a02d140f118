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

  /// The path without symbolic links; nil if it leads nowhere, or is no text.
  static func resolvedPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(validatingCString: resolved)
  }

  /// A text that is the same for all paths to one file, which need not be there and is no symbolic link; the path itself if the
  /// folder is not there.
  static func identity(ofFileAt path: String) -> String {
    if let resolved = resolvedPath(path) { return resolved }
    let (folder, name) = (directory(of: path), path.nameInFolder)
    if let resolved = resolvedPath(folder) { return resolved == "/" ? "/\(name)" : "\(resolved)/\(name)" }
    // Its path is no text, or has a folder that is closed to this user.
    var status = stat()
    return stat(folder, &status) == 0 ? "\(status.st_dev):\(status.st_ino)/\(name)" : path
  }

  /// With a slash at its end, unless it is `.`.
  static func directory(of path: String) -> String { path.folderOfPath ?? "." }

  /// Where a symbolic link leads next, whether something is there or not; nil if it is none.
  static func linkDestination(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count >= 0 else { return nil }
    let destination = String(decoding: buffer[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    if destination.isAbsolutePath { return destination }
    return (path.folderOfPath ?? "") + destination
  }

  /// Why the system does not follow the symbolic links that a path consists of to where they lead; nil where it does, or would if
  /// something were there.
  ///
  /// Example: Linux refuses links in `/tmp` that other users have made. Whoever reads them, and opens where they lead, goes past that.
  /// One that is not there any more, and so not asked about, leads to something else.
  static func error(ofReaching end: String, by path: String) -> SystemError? {
    var (followed, reached) = (stat(), stat())
    guard stat(path, &followed) == 0 else { return errno == ENOENT ? nil : SystemError() }
    let isSame = stat(end, &reached) == 0 && followed.st_dev == reached.st_dev && followed.st_ino == reached.st_ino
    return isSame ? nil : SystemError(code: ELOOP)
  }

  /// Gives a file the permissions of another one, if that is there; throws ``SystemError``.
  static func copyPermissions(of path: String, to file: Descriptor) throws {
    var (wanted, given) = (stat(), stat())
    guard stat(path, &wanted) == 0 else { return }
    // Where all files have the same ones, as on FAT, the system may refuse to set them.
    guard fstat(file.number, &given) != 0 || given.st_mode != wanted.st_mode else { return }
    guard fchmod(file.number, wanted.st_mode & 0o777) == 0 else { throw SystemError() }
  }

  /// The number of the open file that a path stands for; nil if it stands for none.
  static func descriptorNumber(_ path: String) -> Int32? {
    switch path {
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      // On Linux the first is a symbolic link to the second.
      for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
        let name = path.dropFirst(folder.count)
        return Int32(name).flatMap { $0 >= 0 && String($0) == name ? $0 : nil }
      }
      return nil
    }
  }

  /// Throws ``SystemError`` unless it can be used in that way.
  static func checkAccess(to path: String, _ mode: Int32) throws {
    guard access(path, mode) == 0 else { throw SystemError() }
  }

  static func isDirectory(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
  }
}
