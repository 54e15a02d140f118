import Foundation
import Testing

extension TemporaryFolder {
  /// The process whose number a command has written to the file `id`.
  var processID: pid_t {
    get throws { try #require(text("id").flatMap { pid_t($0.dropLast()) }) }
  }
}
