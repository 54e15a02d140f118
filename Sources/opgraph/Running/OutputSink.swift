/// Where the output of a command goes.
enum OutputSink: Sendable {
  /// It is kept until the end.
  case collect(CommandOutput)
  /// It is passed on as it comes; the closure returns whether there is room for more.
  case pass(@Sendable ([UInt8]) -> Bool)

  /// What has been kept.
  var output: CommandOutput? {
    switch self {
    case .collect(let output): output
    case .pass: nil
    }
  }

  /// Takes over bytes, and returns whether there is room for more.
  func receive(_ bytes: ArraySlice<UInt8>) -> Bool {
    switch self {
    case .collect(let output):
      output.append(bytes)
      return true
    case .pass(let body):
      return body(Array(bytes))
    }
  }
}
