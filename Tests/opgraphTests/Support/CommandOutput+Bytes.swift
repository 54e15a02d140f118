@testable import opgraph

extension CommandOutput {
  /// All of it.
  var bytes: [UInt8] {
    get throws {
      var bytes: [UInt8] = []
      try forEachPiece { bytes += $0 }
      return bytes
    }
  }
}

extension CommandResult {
  /// The output of a command that was started.
  var bytes: [UInt8] {
    get throws { try output?.bytes ?? [] }
  }
}
