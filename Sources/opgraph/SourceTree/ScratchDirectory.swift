import Foundation

/// A temporary directory for intermediate files; its owner removes it.
struct ScratchDirectory {
  /// Absolute, because commands run in different directories.
  let path: String

  init() throws {
    let parent = FileManager.default.temporaryDirectory.path
    var template = Array("\(parent)/opgraph.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw InputError("cannot make a temporary directory in \(parent): \(SystemError())")
    }
    path = template.withUnsafeBufferPointer { buffer in
      URL(fileURLWithPath: buffer.baseAddress.map { String(cString: $0) } ?? parent).path
    }
  }

  /// Removes the directory with all that is in it; a failure does not affect the result of the run.
  ///
  /// Tried several times: a command that has been killed may still complete a system call that makes a file, after
  /// the list of files was read and before their directory is removed.
  func remove() {
    for _ in 0..<100 where FileManager.default.fileExists(atPath: path) {
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}
