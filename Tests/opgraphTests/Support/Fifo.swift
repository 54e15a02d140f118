import Foundation

/// A named pipe through which commands and a test wait for each other.
///
/// Open at both ends while the test holds it: no command that writes waits for a reader, and one that reads never sees
/// the end.
final class Fifo: Sendable {
  private let descriptor: Int32

  init(_ path: String) throws {
    guard mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
  }

  deinit {
    close(descriptor)
  }

  func writeLine() {
    _ = write(descriptor, "\n", 1)
  }

  /// The next line, without its end; throws when none comes for a long time.
  func line() async throws -> String {
    try await nextLine(from: descriptor)
  }
}

/// Reads a line byte by byte on a thread of its own; throws when none comes for a long time.
func nextLine(from descriptor: Int32) async throws -> String {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      var line: [UInt8] = []
      while true {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        guard poll(&request, 1, 30_000) == 1, read(descriptor, &byte, 1) == 1 else {
          continuation.resume(throwing: NoLine())
          return
        }
        if byte == UInt8(ascii: "\n") { break }
        line.append(byte)
      }
      continuation.resume(returning: String(decoding: line, as: UTF8.self))
    }
  }
}

/// The deadline has passed, or the other end is closed.
struct NoLine: Error {}
