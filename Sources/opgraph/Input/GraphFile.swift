/// A file that contains a graph; `-` stands for standard input.
struct GraphFile: Equatable, Sendable {
  private let argument: String

  init(argument: String) {
    self.argument = argument
  }

  /// The file that is meant where none is named; nil if it is not there.
  static var ofCurrentFolder: GraphFile? {
    access("opgraph.json", F_OK) == 0 ? GraphFile(argument: "opgraph.json") : nil
  }

  var isStandardInput: Bool { argument == "-" }

  /// The name in error messages.
  var name: String { isStandardInput ? "standard input" : argument }

  /// The name without the folder.
  var shortName: String { isStream ? name : argument.namesOfPath.last ?? name }

  /// Whether it is named by a descriptor, as `/dev/stdin` and the shell's `<(command)` are.
  ///
  /// The folder of such a name is none to run commands in and to write to, and the next run has another file there.
  private var isDescriptor: Bool {
    guard argument.isAbsolutePath else { return false }
    let names = argument.namesOfPath.filter { $0 != "." }
    switch names.first {
    case "dev": return names == ["dev", "stdin"] || names.count == 3 && names[1] == "fd"
    // Of a process, or of one of its threads.
    case "proc": return names.count >= 4 && names[names.count - 2] == "fd"
    default: return false
    }
  }

  /// Whether the graph is in no folder that has to do with it.
  var isStream: Bool { isStandardInput || isDescriptor }

  /// The folder that the graph's directories are relative to: the current one for a stream.
  var directory: String {
    isStream ? "." : argument.folderOfPath ?? "."
  }

  /// Reads and validates the graph; blocks the calling thread.
  ///
  /// Throws ``InputError`` if the file cannot be read, and ``InputErrors`` if what it says is wrong.
  func graph() throws -> Graph {
    do {
      return try GraphReader(file: name, directory: directory, isDirectory: FileSystem.isDirectory).graph(from: bytes())
    } catch let error as SystemError {
      throw InputError("cannot be read: \(error)").inFile(name)
    }
  }

  private func bytes() throws -> [UInt8] {
    if isStandardInput { return try Descriptor.standardInput.readToEnd() }
    let file = try Descriptor(reading: argument)
    defer { file.close() }
    return try file.readToEnd()
  }
}
