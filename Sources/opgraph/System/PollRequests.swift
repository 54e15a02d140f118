/// Waits for any number of descriptors, also where the system refuses so many at once.
///
/// It does if their number is above the limit for open files, which others can lower while the program runs.
enum PollRequests {
  typealias Poll = (UnsafeMutablePointer<pollfd>?, nfds_t, Int32) -> Int32

  /// How long to wait before the next look at all of them, in milliseconds.
  private static let pause: Int32 = 10

  /// As `poll` does: returns how many are ready, or -1 with an `errno`.
  ///
  /// - Parameter system: A parameter so that tests can make it refuse.
  static func wait(_ requests: inout [pollfd], milliseconds: Int32, by system: Poll = systemPoll) -> Int32 {
    requests.withUnsafeMutableBufferPointer { requests in
      let count = system(requests.baseAddress, nfds_t(requests.count), milliseconds)
      guard count < 0, errno == EINVAL else { return count }
      return waitForPieces(of: requests, milliseconds: milliseconds, system)
    }
  }

  /// Looks at piece after piece, and waits in between for those of the first one.
  private static func waitForPieces(
    of requests: UnsafeMutableBufferPointer<pollfd>, milliseconds: Int32, _ system: Poll
  ) -> Int32 {
    let end = milliseconds < 0 ? nil : ContinuousClock.now.advanced(by: .milliseconds(milliseconds))
    var size = requests.count
    while true {
      let ready = ready(of: requests, inPiecesOf: &size, system)
      guard ready == 0 else { return ready }
      if let end, ContinuousClock.now >= end { return 0 }
      if system(requests.baseAddress, nfds_t(size), pause) < 0 { return -1 }
    }
  }

  /// How many are ready now; -1 with an `errno` if that cannot be found out.
  ///
  /// - Parameter size: How many the system takes at once, as far as is known; becomes smaller where it refuses.
  private static func ready(
    of requests: UnsafeMutableBufferPointer<pollfd>, inPiecesOf size: inout Int, _ system: Poll
  ) -> Int32 {
    var (ready, start): (Int32, Int) = (0, 0)
    while start < requests.count {
      let piece = UnsafeMutableBufferPointer(rebasing: requests[start..<min(start + size, requests.count)])
      let count = system(piece.baseAddress, nfds_t(piece.count), 0)
      if count >= 0 {
        ready += count
        start += piece.count
      } else if errno == EINVAL, size > 1 {
        size /= 2
      } else {
        // Where it takes none: as slowly as if it had waited.
        if errno == EINVAL {
          _ = system(nil, 0, pause)
          errno = EINVAL
        }
        return -1
      }
    }
    return ready
  }
}
