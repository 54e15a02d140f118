import Foundation
import Synchronization

/// A terminal for the tool, of which the test sees the screen.
final class PseudoTerminal: Sendable {
  private let controller: Int32
  /// What the tool gets; closed by the test once it has been started.
  let device: FileHandle
  private let bytes = Mutex<[UInt8]>([])
  private let columns: Mutex<Int>

  init(columns: Int = 80) throws {
    var (controller, device): (Int32, Int32) = (-1, -1)
    guard openpty(&controller, &device, nil, nil, nil) == 0 else { throw CocoaError(.fileReadUnknown) }
    for number in [controller, device] { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    self.controller = controller
    self.device = FileHandle(fileDescriptor: device, closeOnDealloc: false)
    self.columns = Mutex(columns)
    resize(columns: columns)
  }

  deinit {
    close(controller)
  }

  /// The screen begins anew: terminals differ in what they do with lines that no longer fit.
  func resize(columns: Int) {
    self.columns.withLock { $0 = columns }
    bytes.withLock { $0 = [] }
    var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
  }

  var screen: Screen { Screen(bytes.withLock(\.self), columns: columns.withLock(\.self)) }

  /// All that has been written so far.
  var text: String { String(decoding: bytes.withLock(\.self), as: UTF8.self) }

  /// Reads until the screen is as wanted; throws ``NoLine`` if the terminal is closed before.
  @discardableResult
  func screen(where isWanted: @escaping @Sendable (Screen) -> Bool) async throws -> Screen {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        while true {
          let screen = self.screen
          if isWanted(screen) { return continuation.resume(returning: screen) }
          guard self.read() else { return continuation.resume(throwing: NoLine()) }
        }
      }
    }
  }

  /// The screen when every process has closed the terminal.
  func lastScreen() async -> Screen {
    _ = try? await screen { _ in false }
    return screen
  }

  /// Waits for bytes; returns whether there were some.
  private func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      let count = Foundation.read(controller, &buffer, buffer.count)
      if count > 0 {
        bytes.withLock { $0 += buffer[..<count] }
        return true
      }
      // The end is an error on Linux.
      guard count < 0, errno == EINTR else { return false }
    }
  }
}
