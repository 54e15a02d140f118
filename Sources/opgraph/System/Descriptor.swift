/// An open file descriptor whose reads and writes continue after interruptions and partial transfers, and wait where the
/// descriptor itself does not.
///
/// Standard input and outputs are shared with other processes, any of which may have made them non-blocking.
///
/// `FileHandle` is not used, because on failure it traps, or throws errors whose descriptions depend on the platform.
struct Descriptor: Sendable {
  static let standardInput = Descriptor(number: STDIN_FILENO)
  static let standardOutput = Descriptor(number: STDOUT_FILENO)
  static let standardError = Descriptor(number: STDERR_FILENO)

  let number: Int32

  private init(number: Int32) {
    self.number = number
  }

  /// What the process was started with, and can write to; not to be closed.
  ///
  /// Not what it has opened itself, which is closed in the processes that it starts.
  init(inherited number: Int32) throws {
    let (flags, mode) = (fcntl(number, F_GETFD), fcntl(number, F_GETFL))
    guard flags >= 0, mode >= 0 else { throw SystemError() }
    guard flags & FD_CLOEXEC == 0, mode & (O_WRONLY | O_RDWR) != 0 else { throw SystemError(code: EBADF) }
    self.number = number
  }

  /// Opens a file for reading.
  init(reading path: String) throws {
    number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError() }
  }

  /// Opens what is there for writing, a device or a pipe.
  init(writingTo path: String) throws {
    number = open(path, O_WRONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError() }
  }

  /// Opens a file for writing at its end; not one that a symbolic link leads to.
  init(appendingTo path: String) throws {
    number = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else { throw SystemError() }
  }

  /// Makes a file for writing at its end, in the place of whatever has the name.
  init(replacing path: String) throws {
    guard unlink(path) == 0 || errno == ENOENT else { throw SystemError() }
    number = open(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard number >= 0 else { throw SystemError() }
  }

  /// Opens a file for reading and writing, and makes it if it is not there; not one that a symbolic link leads to.
  ///
  /// One that is made is closed to all who are neither the user nor in the group.
  init(updating path: String) throws {
    number = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o660)
    guard number >= 0 else { throw SystemError() }
  }

  /// Makes a file for reading and writing that no folder lists, so that nobody has to remove it.
  ///
  /// As for a pipe, the caller ensures that no process is started meanwhile.
  static func unnamedTemporaryFile() throws -> Descriptor {
    var template = Array("\(FileSystem.temporaryFolder)/opgraph.XXXXXX".utf8CString)
    let file = Descriptor(number: mkstemp(&template))
    guard file.number >= 0 else { throw SystemError() }
    unlink(template)
    _ = fcntl(file.number, F_SETFD, FD_CLOEXEC)
    return file
  }

  /// Makes a file with a name that nobody uses, in the folder of another one and with the permissions of a new file.
  ///
  /// No child process inherits it.
  static func temporaryFile(beside path: String) throws -> (Descriptor, path: String) {
    while true {
      let name = "\(path).\(UInt32.random(in: 0...UInt32.max)).tmp"
      let file = Descriptor(number: open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
      if file.number >= 0 { return (file, name) }
      guard errno == EEXIST else { throw SystemError() }
    }
  }

  /// Makes a pipe that is closed in child processes.
  ///
  /// Close-on-exec is set in a second step, because Swift does not import `pipe2`. The caller ensures that no process
  /// is started in between.
  static func pipe() throws -> (reading: Descriptor, writing: Descriptor) {
    var ends: [Int32] = [-1, -1]
    guard systemPipe(&ends) == 0 else { throw SystemError() }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (Descriptor(number: ends[0]), Descriptor(number: ends[1]))
  }

  /// Reads to the end; blocks the calling thread.
  func readToEnd() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try read(into: &buffer)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Reads at least one byte; blocks the calling thread.
  ///
  /// - Returns: The number of bytes; 0 at the end.
  func read(into buffer: inout [UInt8]) throws -> Int {
    while true {
      let count = systemRead(number, &buffer, buffer.count)
      if count >= 0 { return count }
      try waitAfterFailure(until: POLLIN)
    }
  }

  /// Writes all bytes; blocks the calling thread.
  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = systemWrite(number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else {
          try waitAfterFailure(until: POLLOUT)
        }
      }
    }
  }

  /// Returns when it is worth trying again a transfer that has just failed; throws its error if that is never.
  private func waitAfterFailure(until condition: Int32) throws {
    switch errno {
    case EINTR: return
    case EAGAIN, EWOULDBLOCK: break
    default: throw SystemError()
    }
    var request = pollfd(fd: number, events: Int16(condition), revents: 0)
    while poll(&request, 1, -1) < 0 {
      guard errno == EINTR || errno == EAGAIN else { throw SystemError() }
    }
  }

  func close() {
    _ = systemClose(number)
  }

  /// Writes one line to standard error, with escapes for what would break it; failures are ignored.
  static func complain(_ message: String) { complain(lines: message.seen) }

  /// The same for several lines, as they are.
  static func complain(lines: String) {
    try? standardError.write(Array("\(lineStart)opgraph: \(lines)\n".utf8))
  }

  /// Erases the status line, which may stand where the message goes.
  private static let lineStart: String = {
    let isPlain = isatty(STDERR_FILENO) == 0 || !TerminalKind(ToolEnvironment.variables).movesCursor
    return isPlain ? "" : "\r\u{1B}[K"
  }()

  /// Writes one line to standard error, unless its reader is slow: for the thread that must not wait.
  static func complainAtOnce(_ message: String) {
    var request = pollfd(fd: standardError.number, events: Int16(POLLOUT), revents: 0)
    if poll(&request, 1, 0) > 0 { complain(message) }
  }

  /// Keeps the numbers of standard input and outputs that are closed from being given to other files.
  ///
  /// Reading from or writing to them fails all the same. Throws ``SystemError`` if that is not possible.
  ///
  /// - Parameters:
  ///   - device: What is opened.
  ///   - folder: What is opened where that is missing.
  static func reserveStandardNumbers(by device: String = "/dev/null", or folder: String = "/") throws {
    // Given numbers in this order, since each is the lowest that is free.
    for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(number, F_GETFD) == -1 {
      guard open(device, mode | O_CLOEXEC) >= 0 || open(folder, O_RDONLY | O_CLOEXEC) >= 0 else { throw SystemError() }
    }
  }
}
