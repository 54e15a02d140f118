/// Adds the change of the working directory to the actions of `posix_spawn`.
enum SpawnDirectory {
  #if canImport(Darwin)
    typealias Actions = posix_spawn_file_actions_t?
  #else
    typealias Actions = posix_spawn_file_actions_t
  #endif

  /// Throws ``SystemError`` if the system cannot do that: glibc before 2.29.
  static func add(_ directory: String, to actions: inout Actions) throws {
    guard let add else { throw SystemError(code: ENOSYS, "cannot start a command in a directory of its own") }
    let code = add(&actions, directory)
    guard code == 0 else { throw SystemError(code: code) }
  }

  private typealias Function = @convention(c) (UnsafeMutablePointer<Actions>, UnsafePointer<CChar>) -> Int32

  #if canImport(Glibc)
    /// Looked up by name, with the type that it has in the header.
    ///
    /// The header of glibc declares it only for programs that define `_GNU_SOURCE`, so Swift does not import it.
    private static let add = dlsym(nil, "posix_spawn_file_actions_addchdir_np").map {
      unsafeBitCast($0, to: Function.self)
    }
  #else
    private static let add: Function? = { posix_spawn_file_actions_addchdir_np($0, $1) }
  #endif
}
