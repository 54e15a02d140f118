import Synchronization

/// Signals as bytes in a pipe, so that one call of `poll` waits for them along with other descriptors.
///
/// A handler of a signal may do next to nothing, but it may write to a descriptor.
final class SignalPipe: Sendable {
  /// The descriptor that the handler writes to; -1 until a pipe has been made.
  ///
  /// Set, and so initialised, before there is a handler.
  private static let destination = Atomic<Int32>(-1)

  /// Becomes readable when there is something to receive.
  let reading: Descriptor
  private let writing: Descriptor

  /// Catches the signals from now on; throws ``SystemError``.
  ///
  /// Those that may be ignored are not caught if the program has been started so that it ignores them. To be called once
  /// in a process, because its handlers belong to the process.
  init(_ signals: [Int32], unlessIgnored ignorable: [Int32] = []) throws {
    (reading, writing) = try Descriptor.pipe()
    // The handler must not wait for room, and the receiver not for bytes.
    for end in [reading, writing] { _ = fcntl(end.number, F_SETFL, O_NONBLOCK) }
    precondition(Self.destination.exchange(writing.number, ordering: .relaxed) == -1, "a process has one signal pipe")

    var set = sigset_t()
    sigemptyset(&set)
    for number in signals + ignorable {
      let isIgnored = unsafeBitCast(signal(number, Self.handler), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      if isIgnored && ignorable.contains(number) { signal(number, SIG_IGN) }
      sigaddset(&set, number)
    }
    // A program inherits which signals are blocked.
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  private static let handler: @convention(c) (Int32) -> Void = { number in
    let interrupted = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(SignalPipe.destination.load(ordering: .relaxed), &byte, 1)
    errno = interrupted
  }

  /// Makes the reading end readable, without a signal.
  func wake() {
    var byte: UInt8 = 0
    // If there is no room, the end is readable as it is.
    _ = write(writing.number, &byte, 1)
  }

  /// The signals that have arrived since the last call; does not wait for any.
  func received() -> [Int32] {
    var numbers: [Int32] = []
    var bytes = [UInt8](repeating: 0, count: 256)
    while true {
      let count = read(reading.number, &bytes, bytes.count)
      if count > 0 {
        numbers += bytes[..<count].filter { $0 != 0 }.map(Int32.init)
      } else if errno != EINTR {
        return numbers
      }
    }
  }
}
