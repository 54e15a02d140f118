import Foundation

/// A named pipe with which commands and a test wait for each other.
///
/// The test keeps both ends open: a command that writes does not wait for a reader, and one that reads never sees the
/// end.
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

  /// Writes until there is no room, so that further writes block.
  func fill() {
    _ = fcntl(descriptor, F_SETFL, O_RDWR | O_NONBLOCK)
    while write(descriptor, "\n", 1) == 1 {}
    _ = fcntl(descriptor, F_SETFL, O_RDWR)
  }

  /// The next line, without its line break.
  func line() async throws -> String {
    try await nextLine(from: descriptor)
  }
}

/// Reads a line byte by byte on a thread of its own; throws if the other end is closed first.
func nextLine(from descriptor: Int32) async throws -> String {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      var line: [UInt8] = []
      while true {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        var ready: Int32
        // Without a time limit: a test that gave up would wait for its command, which waits for the test.
        // The loop of the tests has the process handle SIGCHLD, which interrupts any thread.
        repeat { ready = poll(&request, 1, -1) } while ready < 0 && errno == EINTR
        guard ready == 1, read(descriptor, &byte, 1) == 1 else {
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

/// The other end is closed.
struct NoLine: Error {}
