import Foundation
import TestSupport
import Testing

extension OpgraphTests {
  /// A descriptor is made non-blocking for all processes that share it, so the tool may get one that is.
  @Suite("non-blocking input and output")
  struct NonBlocking {
    private let folder: TemporaryFolder
    private let pipe: Pipe

    init() throws {
      folder = try TemporaryFolder()
      pipe = Pipe()
    }

    private var reading: Int32 { pipe.fileHandleForReading.fileDescriptor }
    private var writing: Int32 { pipe.fileHandleForWriting.fileDescriptor }

    @Test("A report whose reader is slow arrives whole")
    func output() async throws {
      try #require(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
      // Full, so that the tool's first write fails.
      let filling = [UInt8](repeating: UInt8(ascii: "-"), count: 4096)
      var count = 0
      while true {
        let written = write(writing, filling, filling.count)
        guard written > 0 else { break }
        count += written
      }
      let last = try Fifo(folder.path("last"))
      let running = try Tool(folder: folder).start(
        ["-j1", "-"],
        input: #"""
          {"operations": [
            {"id": "a", "run": "head -c 1000000 /dev/zero"},
            {"id": "b", "run": "echo >last", "after": ["a"]}
          ]}
          """#, output: pipe.fileHandleForWriting)
      try pipe.fileHandleForWriting.close()
      _ = try await last.line()

      let output = try await bytesToEnd(of: pipe)

      let outcome = await running.outcome()
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      #expect(output.range(of: Data(repeating: 0, count: 1_000_000)) != nil)
      #expect(String(decoding: output.suffix(100), as: UTF8.self).contains("2 operations: 2 done, 0 failed, 0 skipped"))
      #expect(output.prefix(count).allSatisfy { $0 == UInt8(ascii: "-") })
    }

    @Test("A graph that arrives byte by byte is read whole")
    func input() async throws {
      try #require(fcntl(reading, F_SETFL, O_NONBLOCK) == 0)
      let running = try Tool(folder: folder).start(["-"], inputPipe: pipe)
      for byte in #"{"operations": [{"id": "a", "run": ":"}]}"#.utf8 {
        // Until the tool has read the byte before, and tries to read the next one.
        try #require(await eventually { isEmpty(reading) })
        try #require(write(writing, [byte], 1) == 1)
      }
      try pipe.fileHandleForWriting.close()

      let outcome = await running.outcome()

      #expect(outcome.errors.isEmpty)
      #expect(outcome.status == 0)
      #expect(outcome.lines.last == "1 operation: 1 done, 0 failed, 0 skipped, TIME")
    }

    private func isEmpty(_ descriptor: Int32) -> Bool {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&request, 1, 0) == 0
    }

    private func bytesToEnd(of pipe: Pipe) async throws -> Data {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(with: Result { try pipe.fileHandleForReading.readToEnd() ?? Data() })
        }
      }
    }
  }
}
