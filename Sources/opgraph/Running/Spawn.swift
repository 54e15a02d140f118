import Foundation

/// Starts processes in their own process groups, with empty input, both outputs connected to one pipe, and the default
/// handling of the signals that the tool catches or ignores.
struct Spawn {
  let output: Descriptor
  /// The working directory, relative to that of the tool.
  let directory: String

  /// Throws ``SystemError``.
  func process(arguments: [String]) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.number, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output.number, STDERR_FILENO)
    // Not by the `cd` of a shell, which follows CDPATH to other directories.
    try SpawnDirectory.add(directory, to: &actions)

    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM, SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)

    var pointers = arguments.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, arguments[0], &actions, &attributes, pointers, Self.environment)
    guard code == 0 else { throw error(code) }
    return id
  }

  /// The system does not tell which step of the start has failed.
  private func error(_ code: Int32) -> SystemError {
    guard access(directory, X_OK) != 0, errno == code else { return SystemError(code: code) }
    return SystemError(code: code, "cannot enter the directory \(directory.debugDescription)")
  }

  /// Passed on unchanged; Foundation's dictionary has no entries that are not UTF-8.
  private static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    #if canImport(Darwin)
      _NSGetEnviron().pointee
    #else
      environ
    #endif
  }
}
