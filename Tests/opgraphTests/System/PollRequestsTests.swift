import Foundation
import Testing
import TestSupport

@testable import opgraph

@Suite("PollRequests", .hangGuard, .timeLimit(.minutes(15)))
struct PollRequestsTests {
  private let pipes: [(reading: Descriptor, writing: Descriptor)]

  init() throws {
    pipes = try (0..<11).map { _ in try Descriptor.pipe() }
  }

  private func closeAll() {
    for pipe in pipes {
      pipe.reading.close()
      pipe.writing.close()
    }
  }

  private var requests: [pollfd] {
    pipes.map { pollfd(fd: $0.reading.number, events: Int16(POLLIN), revents: 0) }
  }

  /// As the system is where the limit for open files is lower than the number of those that are open.
  ///
  /// The ends of other tests' commands do not interrupt it.
  private static func poll(upTo limit: Int) -> PollRequests.Poll {
    { requests, count, milliseconds in
      guard count <= limit else {
        errno = EINVAL
        return -1
      }
      while true {
        let ready = systemPoll(requests, count, milliseconds)
        if ready >= 0 || errno != EINTR { return ready }
      }
    }
  }

  @Test("Those that are ready are found, however few the system takes at once", arguments: [1, 2, 3, 4, 10, 11, 100])
  func ready(limit: Int) throws {
    defer { closeAll() }
    for index in [0, 4, 10] { try pipes[index].writing.write([1]) }
    for milliseconds: Int32 in [0, 1000, -1] {
      var requests = requests
      #expect(PollRequests.wait(&requests, milliseconds: milliseconds, by: Self.poll(upTo: limit)) == 3)
      #expect(requests.indices.filter { requests[$0].revents != 0 } == [0, 4, 10])
    }
  }

  @Test("One that becomes ready during the wait ends it", arguments: [0, 10], [1, 3, 100])
  func waiting(index: Int, limit: Int) throws {
    defer { closeAll() }
    let writing = pipes[index].writing
    let looks = pipes.count
    var (requests, calls) = (requests, 0)
    let count = PollRequests.wait(&requests, milliseconds: -1) { requests, count, milliseconds in
      calls += 1
      // After a look at all of them, in which none was ready; or before the only call.
      if calls == (limit < looks ? 2 * looks : 1) { try? writing.write([1]) }
      return Self.poll(upTo: limit)(requests, count, milliseconds)
    }
    #expect(count == 1)
    #expect(requests.indices.filter { requests[$0].revents != 0 } == [index])
  }

  @Test("If none becomes ready it ends when the time is up", arguments: [0, 15] as [Int32], [1, 3, 100])
  func time(milliseconds: Int32, limit: Int) {
    defer { closeAll() }
    var requests = requests
    let start = ContinuousClock.now
    #expect(PollRequests.wait(&requests, milliseconds: milliseconds, by: Self.poll(upTo: limit)) == 0)
    #expect(start.duration(to: .now) >= .milliseconds(milliseconds))
  }

  @Test("Where the system takes none at all, that is an error, and no more")
  func none() {
    defer { closeAll() }
    var requests = requests
    #expect(PollRequests.wait(&requests, milliseconds: -1, by: Self.poll(upTo: 0)) == -1)
    #expect(errno == EINVAL)
  }
}
