extension RunState {
  /// The variable in which commands find the locks of the runs that they are part of.
  private static let locksVariable = "OPGRAPH_LOCKS"

  /// Opens the state beside a graph.
  ///
  /// Waits for another run of the same file, and says so; blocks the calling thread.
  ///
  /// Where there can be none, everything runs, and earlier notes are removed. Throws ``InputError`` if they
  /// cannot be, if the run is to resume another and cannot, and if it is part of a run of the same file, which would wait
  /// for it.
  ///
  /// - Parameter ids: Tells those of all operations of the graph, once no other run of the file can begin, and is told
  ///   whether one was waited for.
  convenience init(of file: GraphFile, isResuming: Bool, ids: (_ hasWaited: Bool) throws -> [String]) throws {
    guard let place = file.statePlace else {
      try Self.checkPlace(of: file, isResuming: isResuming)
      self.init()
      return
    }
    var lock: FileLock?
    do {
      try place.makeFolder()
      try place.checkFiles()
      let (held, hasWaited) = try Self.lock(place, of: file)
      lock = held
      let ids = try ids(hasWaited)
      let log = try place.readLog()
      self.init(
        policy: UpToDatePolicy(notes: log.notes, isResuming: isResuming, base: file.directory),
        log: try place.openLog(following: log, ids: ids), path: place.log, lock: lock)
    } catch let error as SystemError {
      guard !isResuming else { throw InputError("--resume: \(error)") }
      // Notes of operations that fail in this run could not be taken back, and would be believed in the next one.
      guard let removal = place.removeNotes(isLocked: lock != nil) else {
        throw InputError("what succeeds cannot be noted, and earlier notes cannot be removed: \(error)")
      }
      let removed = removal == .removed ? ", and earlier notes are removed" : ""
      Descriptor.complain("what succeeds is not noted, so everything runs\(removed): \(error)")
      self.init(lock: lock)
    }
  }

  /// What a run of the graph would decide now; changes nothing and waits for nobody.
  ///
  /// Throws ``InputError``.
  static func policy(of file: GraphFile, isResuming: Bool) throws -> UpToDatePolicy {
    guard let place = file.statePlace else {
      try checkPlace(of: file, isResuming: isResuming)
      return UpToDatePolicy()
    }
    do {
      try place.checkFiles()
      return UpToDatePolicy(notes: try place.readLog().notes, isResuming: isResuming, base: file.directory)
    } catch let error as SystemError {
      guard !isResuming else { throw InputError("--resume: \(error)") }
      return UpToDatePolicy()
    }
  }

  private static func checkPlace(of file: GraphFile, isResuming: Bool) throws {
    if isResuming { throw InputError("--resume needs a graph in a file: nothing is noted of \(file.name)") }
  }

  private static func lock(_ place: StatePlace, of file: GraphFile) throws -> (FileLock, hasWaited: Bool) {
    do {
      let lock = try FileLock(path: place.lock)
      var isHeld = false
      defer { if !isHeld { lock.close() } }
      let held = getenv(locksVariable).map { String(cString: $0) } ?? ""
      let hasWaited = try !lock.tryLock()
      if hasWaited {
        // Not every process that has the variable is waited for: one that a command has left behind may outlive its run.
        guard try !held.split(separator: " ").contains(lock.identity[...]) else {
          throw InputError("\(file.name) is being run by a run that waits for this one")
        }
        Descriptor.complain("waiting for another run of \(file.name)")
        try lock.lock()
      }
      let identity = try lock.identity
      setenv(locksVariable, held.isEmpty ? identity : "\(held) \(identity)", 1)
      isHeld = true
      return (lock, hasWaited)
    } catch let error as SystemError {
      throw SystemError(code: error.code, place.lock)
    }
  }
}
