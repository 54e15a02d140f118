import Foundation

/// The graphs in the folder of examples, and the schema beside them.
enum Examples {
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let folder = package.appendingPathComponent("Sources/opgraph/Examples")
  static let schemaName = "opgraph.schema.json"

  /// The names of the graphs.
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".json") && $0 != schemaName }.sorted()
  /// Those that run anywhere: the other one needs a cluster, and `.ci/slurm` runs it.
  static let runnableNames = names.filter { $0 != "slurm.json" }

  static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// Puts a graph where it lies in the package, into a folder that stands for the package.
  @discardableResult
  static func copy(_ name: String, into folder: TemporaryFolder) throws -> String {
    try folder.makeFolder("Sources/opgraph/Examples")
    try folder.write(text(name), to: "Sources/opgraph/Examples/\(name)")
    return "Sources/opgraph/Examples/\(name)"
  }
}
