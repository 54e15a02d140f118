import Synchronization

/// Knows during a run which operations need not run, and writes down which have succeeded.
///
/// A note is written when its operation ends, with one call of the system, before the dependents may start. It is taken
/// back before the command starts, so that a run that is killed meanwhile leaves none. Nothing is forced to the disk: a
/// system that crashes may lose the last notes, and the last ones to be taken back.
final class RunState: Sendable {
  private struct State {
    var policy: UpToDatePolicy
    /// Nil if there is none, or none any more.
    var log: Descriptor?
  }

  private let state: Mutex<State>
  /// The path of the log.
  private let path: String
  /// Held, so that no other run has it at the same time.
  private let lock: FileLock?

  init(policy: UpToDatePolicy = UpToDatePolicy(), log: Descriptor? = nil, path: String = "", lock: FileLock? = nil) {
    state = Mutex(State(policy: policy, log: log))
    self.path = path
    self.lock = lock
  }

  deinit {
    state.withLock { $0.log?.close() }
    lock?.close()
  }

  /// Whether an operation has to run, whose predecessors have ended; asks the system about its files.
  func decision(for node: Graph.Node) -> UpToDatePolicy.Decision {
    state.withLock { $0.policy.decision(for: node, time: FileTime.init(ofFileAt:)) }
  }

  /// To be told before the command of an operation starts; throws ``SystemError`` if an input is not there, so that it
  /// need not start.
  func willStart(_ node: Graph.Node) throws {
    for input in node.inputs where FileTime(ofFileAt: node.path(of: input)) == nil {
      throw SystemError("there is no input \(input.quoted)")
    }
    state.withLock { state in
      if state.policy.willStart(node.id) { append(StateLog.line(forgetting: node.id), &state) }
    }
  }

  /// To be told of each operation that had to run, before its dependents may.
  func ended(_ id: String, isSuccess: Bool) {
    state.withLock { state in
      if let note = state.policy.ended(id, isSuccess: isSuccess) {
        append(StateLog.line(noting: note, of: id), &state)
      }
    }
  }

  /// Where a line cannot be written, all notes go, and the file with them if it cannot be emptied: one that could not be
  /// taken back would be believed.
  private func append(_ line: [UInt8], _ state: inout State) {
    do {
      try state.log?.write(line)
    } catch {
      if state.log?.truncate() == false { unlink(path) }
      state.log?.close()
      state.log = nil
      Descriptor.complainAtOnce("\(path): \(error); it is emptied, and nothing more of this run is noted")
    }
  }
}
