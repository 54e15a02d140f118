/// A file that is replaced as a whole: whoever reads it sees the old contents or the new, never a part.
///
/// What is there and is no regular file, a device or a pipe, is written to instead: another file in its place would take
/// it away from the system. Of a symbolic link the file is replaced that it leads to.
struct ReplacedFile: Sendable {
  /// As it was given.
  let path: String
  private let target: String
  private let isReplaced: Bool

  init(path: String) {
    self.path = path
    isReplaced = !FileSystem.isSpecial(path)
    target = isReplaced ? FileSystem.resolvedPath(path) ?? path : path
  }

  private var directory: String {
    guard let slash = target.lastIndex(of: "/") else { return "." }
    return String(target[...slash])
  }

  /// Throws ``InputError`` if it can be seen already that it will not be written.
  func check() throws {
    guard (isReplaced ? access(directory, W_OK | X_OK) : access(target, W_OK)) == 0 else {
      throw InputError("\(path) cannot be written: \(SystemError())")
    }
    if FileSystem.isDirectory(path) { throw InputError("\(path) cannot be written: it is a directory") }
  }

  /// Writes with `body` a file beside it, which then takes its name; throws what `body` throws, or ``SystemError``.
  func replace(_ body: (Descriptor) throws -> Void) throws {
    guard isReplaced else {
      let file = try Descriptor(writingTo: target)
      defer { file.close() }
      return try body(file)
    }
    let (file, temporary) = try TemporaryFiles.make(beside: target)
    defer { file.close() }
    do {
      try body(file)
      try TemporaryFiles.rename(temporary, to: target)
    } catch {
      TemporaryFiles.remove(temporary)
      throw error
    }
  }
}
