import Synchronization

/// The files of the process that have temporary names until they are whole, so that its end leaves none of them.
///
/// A file is made and noted, and renamed and forgotten, under the lock. Example: a signal ends the program while a file
/// is being written; if the file had been made but not noted, it would stay.
enum TemporaryFiles {
  private static let paths = Mutex<Set<String>>([])

  /// Makes a file in the folder of another one; throws ``SystemError``.
  static func make(beside path: String) throws -> (Descriptor, path: String) {
    try paths.withLock { paths in
      let (file, temporary) = try Descriptor.temporaryFile(beside: path)
      paths.insert(temporary)
      return (file, temporary)
    }
  }

  /// Gives a file its name; throws ``SystemError``.
  static func rename(_ temporary: String, to path: String) throws {
    try paths.withLock { paths in
      guard systemRename(temporary, path) == 0 else { throw SystemError() }
      paths.remove(temporary)
    }
  }

  static func remove(_ temporary: String) {
    paths.withLock { paths in
      unlink(temporary)
      paths.remove(temporary)
    }
  }

  /// Removes all of them, calls `exit`, and keeps other threads from making or renaming any until then.
  static func removeAll(before exit: () -> Never) -> Never {
    paths.withLock { paths in
      for temporary in paths { unlink(temporary) }
      exit()
    }
  }
}
