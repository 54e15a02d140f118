/// Where the state of a graph's runs lies: in a folder beside the graph.
struct StatePlace: Equatable, Sendable {
  let folder: String
  /// That of the graph's file, without its folder.
  let name: String

  /// The path of the log.
  var log: String { "\(folder)/\(name).state" }
  /// The path of the log that is to replace it.
  private var newLog: String { "\(log).new" }
  /// The path of the file that is locked during a run: a file of its own, because the log is replaced.
  var lock: String { "\(folder)/\(name).lock" }

  /// Makes the folder if it is not there; throws ``SystemError``.
  func makeFolder() throws {
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw SystemError(folder) }
  }

  /// Throws ``SystemError`` if a file is there that a run could not or must not write to; makes none.
  func checkFiles() throws {
    guard isTrusted else { throw SystemError(code: EPERM, "\(folder) is another user's") }
    for path in [lock, log] {
      if FileSystem.isDirectory(path) { throw SystemError(code: EISDIR, path) }
      if FileSystem.linkDestination(path) != nil { throw SystemError(code: ELOOP, path) }
      guard access(path, W_OK) == 0 || errno == ENOENT else { throw SystemError(path) }
    }
  }

  /// Whether whoever has made the folder could change the graph, too, or is this user.
  ///
  /// Example: in `/tmp` nobody but its owner can replace a file. Somebody else makes the folder beside it first, with notes that
  /// leave out a step of the graph.
  private var isTrusted: Bool {
    var (folder, parent, graph) = (stat(), stat(), stat())
    let directory = FileSystem.directory(of: self.folder)
    // What is not there nobody has made.
    guard lstat(self.folder, &folder) == 0, stat(directory, &parent) == 0 else { return true }
    guard parent.st_mode & S_ISVTX != 0, stat(directory + "/" + name, &graph) == 0 else { return true }
    return [geteuid(), 0, parent.st_uid, graph.st_uid].contains(folder.st_uid)
  }

  /// Reads the log, which is without notes if it is not there; tells what is wrong with it, and then it is empty, too.
  ///
  /// Throws ``SystemError``, also if it is a device or a pipe, which may have no end.
  func readLog() throws -> StateLog {
    guard !FileSystem.isSpecial(log) else { throw SystemError(code: EINVAL, "\(log) is no regular file") }
    do {
      let file = try Descriptor(reading: log)
      defer { file.close() }
      let bytes = try file.readToEnd()
      return bytes.isEmpty ? StateLog() : try StateLog(bytes)
    } catch let error as SystemError where error.code == ENOENT {
      return StateLog()
    } catch let error as SystemError {
      throw SystemError(code: error.code, log)
    } catch {
      Descriptor.complain("\(log) \(error), so that everything is run")
      return StateLog()
    }
  }

  /// Opens the log for the lines of a run.
  ///
  /// Replaces it first, if much of it does not count any more, by one that has only what does. Whenever the program or
  /// the system ends, the one or the other is there as a whole. Throws ``SystemError``.
  ///
  /// - Parameter ids: Those of all operations of the graph: what others have left is dropped.
  func openLog(following log: StateLog, ids: some Collection<String>) throws -> Descriptor {
    do {
      let count = ids.lazy.filter { log.notes[$0] != nil }.count
      // A log that there is not has no header yet.
      let isReplaced = log.lineCount == 0 || log.isTorn || log.lineCount > 2 * count + 100
      guard isReplaced else { return try Descriptor(appendingTo: self.log) }
      let file = try Descriptor(replacing: newLog)
      do {
        try file.write(log.text(keeping: ids))
        guard fsync(file.number) == 0, rename(newLog, self.log) == 0 else { throw SystemError() }
        return file
      } catch {
        file.close()
        throw error
      }
    } catch let error as SystemError {
      throw SystemError(code: error.code, self.log)
    }
  }

  /// What has become of the notes of earlier runs.
  enum Removal {
    case removed
    /// There were none.
    case notNeeded
  }

  /// Removes all notes for a run that cannot write any; nil if that is not possible.
  ///
  /// - Parameter isLocked: Whether no other run has the log; otherwise that would go on behind what is emptied.
  func removeNotes(isLocked: Bool) -> Removal? {
    // Those of a folder that is not to be trusted are never read.
    guard isTrusted else { return .notNeeded }
    var status = stat()
    if lstat(log, &status) != 0 {
      switch errno {
      case ENOENT, ENOTDIR: return .notNeeded
      // A name that is too long, and so that of no file; of a long path a shorter one may lead to the file.
      case ENAMETOOLONG where log.utf8.count < Int(PATH_MAX): return .notNeeded
      default: return nil
      }
    }
    // Nothing else is ever read.
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return .notNeeded }
    return isLocked && truncate(log, 0) == 0 || unlink(log) == 0 ? .removed : nil
  }
}
