/// A file that is replaced as a whole: whoever reads it sees the old contents or the new, never a part.
struct ReplacedFile: Sendable {
  let path: String

  private var directory: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return String(path[...slash])
  }

  /// Throws ``InputError`` if it can be seen already that it will not be written.
  func check() throws {
    guard access(directory, W_OK | X_OK) == 0 else { throw InputError("\(path) cannot be written: \(SystemError())") }
    if FileSystem.isDirectory(path) { throw InputError("\(path) cannot be written: it is a directory") }
  }

  /// Writes with `body` a file beside it, which then takes its name; throws what `body` throws, or ``SystemError``.
  func replace(_ body: (Descriptor) throws -> Void) throws {
    let (file, temporary) = try Descriptor.temporaryFile(beside: path)
    defer { file.close() }
    do {
      try body(file)
      guard rename(temporary, path) == 0 else { throw SystemError() }
    } catch {
      unlink(temporary)
      throw error
    }
  }
}
