/// A file that is replaced as a whole: whoever reads it sees the old contents or the new, never a part.
///
/// What is there and is no regular file, a device or a pipe, is written to instead: another file in its place would take
/// it away from the system. So is what the program was started with, such as `/dev/stdout`, also where that is a regular
/// file: it holds what others have written. Of a symbolic link the file is replaced that it leads to, or made, unless the system
/// refuses to follow it.
struct ReplacedFile: Sendable {
  private enum Target: Sendable {
    /// A regular file, or none yet: a path to it that is no symbolic link.
    ///
    /// It counts from the current folder if the given one does, so that it leads to the file also where that folder is moved
    /// meanwhile, or the folders above it are closed to this user.
    case file(String)
    /// What is to be opened and written to.
    case special(String)
    /// What is open already.
    case descriptor(Int32)
    /// What cannot be written to.
    case refused(SystemError)
  }

  /// As it was given.
  let path: String
  private let target: Target

  init(path: String) {
    self.path = path
    target = Self.target(of: path)
  }

  private static func target(of path: String) -> Target {
    var end = path
    // As many links as Linux follows.
    for _ in 0...40 {
      if let number = FileSystem.descriptorNumber(end) { return .descriptor(number) }
      guard let next = FileSystem.linkDestination(end) else {
        if FileSystem.isSpecial(end) { return .special(end) }
        // A link of `/proc`, as `/proc/1/fd/1`, leads to what is open elsewhere, whatever its text is.
        if FileSystem.isSpecial(path) { return .special(path) }
        if end != path, let error = FileSystem.error(ofReaching: end, by: path) { return .refused(error) }
        return .file(end)
      }
      end = next
    }
    return .refused(SystemError(code: ELOOP))
  }

  /// Throws ``InputError`` if it can be seen already that it will not be written.
  func check() throws {
    do {
      switch target {
      case .file(let target): try FileSystem.checkAccess(to: FileSystem.directory(of: target), W_OK | X_OK)
      case .special(let target): try FileSystem.checkAccess(to: target, W_OK)
      case .descriptor(let number): _ = try Descriptor(inherited: number)
      case .refused(let error): throw error
      }
    } catch {
      throw InputError("\(path) cannot be written: \(error)")
    }
    if FileSystem.isDirectory(path) { throw InputError("\(path) cannot be written: it is a directory") }
  }

  /// A text that is the same for all paths to one file; nil of what is no regular file.
  private var identity: String? {
    if case .file(let path) = target { FileSystem.identity(ofFileAt: path) } else { nil }
  }

  /// Throws ``InputError`` if two results of a run are to be one file, of whose contents only those that come last would be
  /// left, or one is to be the file of the graph.
  static func checkResults(of options: RunOptions, from graph: GraphFile) throws {
    let graph = graph.isStream ? nil : ReplacedFile(path: graph.name).identity
    let files = options.results.map { (option: $0.option, file: ReplacedFile(path: $0.path)) }
    for (index, (option, file)) in files.enumerated() {
      guard let identity = file.identity else { continue }
      if identity == graph {
        throw InputError("\(option) \(file.path) would take the place of the graph")
      }
      for other in files[(index + 1)...] where other.file.identity == identity {
        throw InputError("\(option) \(file.path) and \(other.option) \(other.file.path) are the same file")
      }
    }
  }

  /// Writes with `body` a file beside it, which then takes its name; throws what `body` throws, or ``SystemError``.
  func replace(_ body: (Descriptor) throws -> Void) throws {
    switch target {
    case .file(let target): try Self.replace(target, body)
    case .special(let target):
      let file = try Descriptor(writingTo: target)
      defer { file.close() }
      try body(file)
    case .descriptor(let number): try body(Descriptor(inherited: number))
    case .refused(let error): throw error
    }
  }

  private static func replace(_ target: String, _ body: (Descriptor) throws -> Void) throws {
    let (file, temporary) = try TemporaryFiles.make(beside: target)
    defer { file.close() }
    do {
      try FileSystem.copyPermissions(of: target, to: file)
      try body(file)
      try TemporaryFiles.rename(temporary, to: target)
    } catch {
      TemporaryFiles.remove(temporary)
      throw error
    }
  }
}
