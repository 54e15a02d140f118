extension GraphFile {
  /// Nil if the graph is not in a file that is still there for the next run: in a pipe, or standard input.
  var statePlace: StatePlace? {
    var status = stat()
    guard !isStream, stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let folder = directory == "." ? "" : directory
    return StatePlace(folder: "\(folder).opgraph", name: name.nameInFolder)
  }
}
