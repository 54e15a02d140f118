import Foundation
import Testing
import TestSupport

@testable import opgraph

@Suite("CommandProcess", .hangGuard, .timeLimit(.minutes(15)))
struct CommandProcessTests {
  private func result(of command: String, in directory: String = ".") async throws -> CommandResult {
    try await CommandProcess(command: command, directory: directory).result
  }

  @Test("Both outputs come in the order in which they were written, byte for byte")
  func output() async throws {
    let result = try await result(of: #"printf 'a\377'; printf 'b\000' >&2; printf c; printf d >&2"#)
    #expect(try result.bytes == Array("a".utf8) + [0xFF] + Array("b".utf8) + [0] + Array("cd".utf8))
    #expect(result.ending == .exited(status: 0))
  }

  @Test("An output larger than any pipe is read whole")
  func largeOutput() async throws {
    let result = try await result(of: "head -c 3000000 /dev/zero; printf x")
    #expect(try result.bytes.count == 3_000_001)
    #expect(try result.bytes.last == UInt8(ascii: "x"))
  }

  @Test("What a command leaves running is waited for as long as it holds the output")
  func background() async throws {
    let folder = try TemporaryFolder()
    let ready = try Fifo(folder.path("ready"))
    let go = try Fifo(folder.path("go"))
    async let result = result(of: "(read line <go; echo late) & echo early; echo >ready", in: folder.path)
    _ = try await ready.line()
    go.writeLine()
    #expect(try await result.bytes == Array("early\nlate\n".utf8))
  }

  @Test("A command that closes its output is waited for until it exits")
  func closedOutput() async throws {
    let folder = try TemporaryFolder()
    let ready = try Fifo(folder.path("ready"))
    let go = try Fifo(folder.path("go"))
    async let result = result(of: "exec >&- 2>&-; echo >ready; read line <go; exit 5", in: folder.path)
    _ = try await ready.line()
    go.writeLine()
    #expect(try await result.ending == .exited(status: 5))
  }

  @Test("The command runs in its directory, whatever the name", arguments: ["/", "-", "a b'c"])
  func directory(name: String) async throws {
    let folder = try TemporaryFolder()
    let path = name == "/" ? name : try folder.makeFolder(name)
    let result = try await result(of: "pwd -P", in: path)
    #expect(try String(decoding: result.bytes, as: UTF8.self) == "\(path)\n")
  }

  @Test("Nothing can be read, and a command that begins with a dash is no option")
  func standardInput() async throws {
    let result = try await result(of: "-x 2>/dev/null; cat; exit 3")
    #expect(try result.bytes.isEmpty)
    #expect(result.ending == .exited(status: 3))
  }

  @Test("One whose time is up has failed, though a signal ends it")
  func signalAfterTime() async throws {
    let folder = try TemporaryFolder()
    let ready = try Fifo(folder.path("ready"))
    let never = try Fifo(folder.path("never"))
    let process = try CommandProcess(
      command: "trap '' TERM; echo >ready; exec cat <never", directory: folder.path)
    _ = try await ready.line()

    #expect(process.timeOut(after: .seconds(1)))
    process.send(SIGKILL)

    let result = await process.result
    #expect(result.ending == .timedOut(after: .seconds(1)))
    #expect(result.verdict == .failed)
    withExtendedLifetime(never) {}
  }

  @Test("A signal reaches the command's own children, and is told")
  func signal() async throws {
    let folder = try TemporaryFolder()
    let ready = try Fifo(folder.path("ready"))
    let never = try Fifo(folder.path("never"))
    let process = try CommandProcess(
      command: "trap 'exit 7' TERM; (echo >ready; exec cat <never); exit 1", directory: folder.path)
    #expect(try await ready.line() == "")

    process.send(SIGTERM)

    let result = await process.result
    #expect(result.ending == .exited(status: 7))
    #expect(result.verdict == .cancelled)
    withExtendedLifetime(never) {}
  }

  @Test("A signal to a command that is over does nothing")
  func lateSignal() async throws {
    let process = try CommandProcess(command: "exit 1", directory: ".")
    let result = await process.result
    process.send(SIGKILL)
    #expect(result.verdict == .failed)
  }
}
