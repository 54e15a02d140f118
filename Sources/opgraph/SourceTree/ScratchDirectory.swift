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

  func remove() {
    // A failure does not affect the result of the run.
    try? FileManager.default.removeItem(atPath: path)
  }
}
