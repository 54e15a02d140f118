import Foundation

/// A directory for what a run makes on its way; whoever made it removes it.
struct ScratchDirectory {
  /// Absolute, so that commands find it from wherever they run.
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
    // Nothing can be done where that fails, and the run went as it went.
    try? FileManager.default.removeItem(atPath: path)
  }
}
