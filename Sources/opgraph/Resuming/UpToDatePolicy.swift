/// Decides which operations need not run; runs none, and reads no files.
///
/// An operation is decided on when those that it comes after have ended or been left out.
struct UpToDatePolicy: Sendable {
  enum Decision: Equatable {
    case run
    case leaveOut
  }

  /// What is known of earlier runs; without a note an operation runs, whatever its files are: they may be what a failed
  /// command has left.
  private var notes: [String: Note]
  /// Whether operations that name no outputs may be left out.
  private let isResuming: Bool
  /// The folder of the graph.
  private let base: String
  /// What those that have run in this run depended on, until they end.
  private var keys: [String: Digest] = [:]
  /// The numbers of the ends of those that have run in this run, and of the successes of those that were left out.
  private var numbers: [String: UInt64] = [:]
  /// Above the numbers of all notes, and of all successes that these speak of: of those one was earlier.
  private var lastNumber: UInt64

  init(notes: [String: Note] = [:], isResuming: Bool = false, base: String = ".") {
    self.notes = notes
    self.isResuming = isResuming
    self.base = base
    lastNumber = notes.values.lazy.map(\.number).max() ?? 0
  }

  /// Whether an operation has to run, of whose predecessors each one has been decided on.
  ///
  /// - Parameter time: When the file at a path was changed; nil if it is not there.
  mutating func decision(for node: Graph.Node, time: (_ path: String) -> FileTime?) -> Decision {
    let inputTimes = node.inputs.map { time(node.path(of: $0)) }
    let predecessors = node.after.compactMap { numbers[$0] }
    // The times as well: one that is changed while the command reads it is older than the outputs all the same.
    let key = Digest(of: node, base: base, after: predecessors, inputTimes: inputTimes)
    guard let note = notes[node.id], note.key == key, areUpToDate(node, inputTimes, time) else {
      keys[node.id] = key
      return .run
    }
    numbers[node.id] = note.number
    return .leaveOut
  }

  private func areUpToDate(_ node: Graph.Node, _ inputTimes: [FileTime?], _ time: (String) -> FileTime?) -> Bool {
    guard !inputTimes.contains(nil) else { return false }
    // An operation that names its outputs depends on them also where what succeeded is left out.
    guard !node.outputs.isEmpty else { return isResuming }
    let newestInput = inputTimes.lazy.compactMap(\.self).max()
    return node.outputs.allSatisfy { output in
      guard let time = time(node.path(of: output)) else { return false }
      return newestInput.map { $0 <= time } ?? true
    }
  }

  /// Takes back the note of an operation whose command is about to start, and returns whether there was one.
  mutating func willStart(_ id: String) -> Bool {
    notes.removeValue(forKey: id) != nil
  }

  /// Counts the end of an operation that had to run, before its dependents are decided on; returns its note, if it is
  /// to have one.
  mutating func ended(_ id: String, isSuccess: Bool) -> Note? {
    guard let key = keys.removeValue(forKey: id) else { preconditionFailure("\(id) ends without having run") }
    lastNumber += 1
    numbers[id] = lastNumber
    guard isSuccess else { return nil }
    let note = Note(number: lastNumber, key: key)
    notes[id] = note
    return note
  }
}

extension Graph.Node {
  /// The path of an input or output.
  func path(of file: String) -> String { file.isAbsolutePath ? file : "\(directory)/\(file)" }
}
