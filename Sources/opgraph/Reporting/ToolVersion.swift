/// The version of the tool.
enum ToolVersion {
  static let number = "0.1.0"
  /// What `--version` prints.
  static let line = "opgraph \(number)"
}
