/// Starts processes in their own process groups, with empty input, both outputs connected to one pipe, and the default
/// handling of the signals that the tool catches or ignores.
struct Spawn {
  let output: Descriptor
  /// The working directory, relative to that of the tool.
  let directory: String
  /// Variables beside those of the tool; nil removes one.
  let environment: [String: String?]
  /// What is read from.
  var input = "/dev/null"

  /// Starts a program that PATH leads to, unless the first argument has a slash.
  ///
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
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
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
    // Those that the tool handles are reset by themselves. A shell has background commands ignore the first two.
    for signal in [SIGINT, SIGTERM, SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)

    var id: pid_t = 0
    let code = CStrings(arguments).withPointers { pointers in
      CommandEnvironment(changes: environment).withBlock { environment in
        posix_spawnp(&id, path(of: arguments[0]), &actions, &attributes, pointers, environment)
      }
    }
    guard code == 0 else { throw error(code, program: arguments[0]) }
    return id
  }

  /// Where the system looks for a program: a relative path counts from the working directory.
  private func path(of program: String) -> String {
    guard Self.startsRelativePathsAmiss, program.contains("/"), !program.hasPrefix("/"),
      let directory = FileSystem.resolvedPath(directory)
    else { return program }
    return "\(directory)/\(program)"
  }

  // macOS may start a program by a relative path beside a change of the directory, and report that there is none.
  #if canImport(Darwin)
    private static let startsRelativePathsAmiss = true
  #else
    private static let startsRelativePathsAmiss = false
  #endif

  /// The system does not tell which step of the start has failed.
  private func error(_ code: Int32, program: String) -> SystemError {
    if access(input, R_OK) != 0, errno == code {
      return SystemError(code: code, "cannot open \(input.quoted)")
    }
    if access(directory, X_OK) != 0, errno == code {
      return SystemError(code: code, "cannot enter the directory \(directory.quoted)")
    }
    let error = SystemError(code: code)
    return error.isShortage ? error : SystemError(code: code, "cannot run \(program.quoted)")
  }
}
