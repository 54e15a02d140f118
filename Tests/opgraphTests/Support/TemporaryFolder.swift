import Foundation

/// A temporary folder, removed when the object is freed.
final class TemporaryFolder: Sendable {
  let path: String

  /// - Parameter name: By which a process of an exit test finds the folder; nobody needs any other one's.
  init(name: String = UUID().uuidString) throws {
    try FileManager.default.createDirectory(atPath: Self.path(of: name), withIntermediateDirectories: true)
    // As `pwd -P` prints it. Foundation leaves out the `/private` in which Apple's temporary folders are.
    guard let resolved = realpath(Self.path(of: name), nil) else { throw CocoaError(.fileNoSuchFile) }
    path = String(cString: resolved)
    free(resolved)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  static func path(of name: String) -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("opgraphTests-\(name)").path
  }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  @discardableResult
  func makeFolder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    return path(name)
  }

  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Without hidden ones, as `ls` lists them.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }.sorted() }
  }
}
