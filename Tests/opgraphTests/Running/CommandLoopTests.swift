import Foundation
import TestSupport
import Testing

@testable import opgraph

@Suite("CommandLoop", .hangGuard, .timeLimit(.minutes(15)))
struct CommandLoopTests {
  private let folder: TemporaryFolder
  /// Written to by commands once they run.
  private let ready: Fifo
  /// Commands that read it run until the test writes to it.
  private let go: Fifo
  private let loop = CommandLoop.ofTests

  init() throws {
    folder = try TemporaryFolder()
    ready = try Fifo(folder.path("ready"))
    go = try Fifo(folder.path("go"))
  }

  /// Has the loop learn of a command when the time of that is up already, and returns how the command ended.
  private func lateResult(
    of process: CommandProcess, sink: OutputSink = .collect(CommandOutput(spool: OutputSpool()))
  ) async -> CommandResult {
    await withCheckedContinuation { continuation in
      // Both on the loop's thread, so that it finds them together.
      loop.schedule(after: .zero) { [loop] in
        loop.watch(
          WatchedCommands.Command(process: process, sink: sink) { continuation.resume(returning: $0) })
        loop.schedule(after: .zero) { if process.timeOut(after: .seconds(1)) { process.killLate() } }
      }
    }
  }

  @Test(
    "A command that has printed something and ended is not timed out, although nobody has read that",
    arguments: [1, 60_000])
  func printedInTime(size: Int) async throws {
    let process = try CommandProcess(
      command: "echo $$ >id; echo >ready; head -c \(size) /dev/zero", directory: folder.path)
    _ = try await ready.line()
    await waitForExit(of: try folder.processID)

    let result = await lateResult(of: process)

    #expect(result.ending == .exited(status: 0))
    #expect(try result.bytes.count == size)
  }

  @Test("A command that never stops printing is timed out all the same")
  func endless() async throws {
    let process = try CommandProcess(command: "echo >ready; exec yes", directory: folder.path)
    _ = try await ready.line()
    let result = await lateResult(
      of: process,
      sink: .pass { _ in
        // Slower than the command, so that there is always something to be read.
        var request = pollfd(fd: process.output.number, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, -1) < 0 {}
        return true
      })
    #expect(result.ending == .timedOut(after: .seconds(1)))
  }

  @Test("What is due, and the ends of commands, come between jobs, however many there are")
  func manyJobs() async throws {
    let count = 1_000
    let process = try CommandProcess(command: "echo $$ >id; echo >ready; read line <go", directory: folder.path)
    _ = try await ready.line()
    let id = try folder.processID
    let (ran, atTime, atEnd) = (Locked(0), Locked<Int?>(nil), Locked<Int?>(nil))
    let ended = Gate()
    await withCheckedContinuation { continuation in
      loop.schedule(after: .zero) { [loop, go] in
        loop.watch(
          WatchedCommands.Command(process: process, sink: .collect(CommandOutput(spool: OutputSpool()))) { _ in
            ended.open()
          })
        // The body of the command's operation.
        Task(executorPreference: loop) {
          await ended.wait()
          atEnd.withLock { $0 = ran.current }
        }
        for number in 0..<count {
          Task(executorPreference: loop) {
            if number == 0 { loop.schedule(after: .zero) { atTime.withLock { $0 = ran.current } } }
            // Later than what is due, before which ends are looked for in any case.
            if number == count / 4 {
              go.writeLine()
              blockUntilExit(of: id)
            }
            ran.withLock { $0 += 1 }
            if number == count - 1 { continuation.resume() }
          }
        }
      }
    }
    #expect(try #require(atTime.current) < count / 2)
    #expect(try #require(atEnd.current) < count / 2)
  }

  /// Starts a command that goes on only when its first line has been read, whose reader has enough of that one.
  ///
  /// Adds what comes to `pieces`, and what it ends with to `results`.
  private func pausedProcess(
    _ command: String, pieces: Locked<[UInt8]>, results: Locked<[CommandResult]>
  ) async throws -> CommandProcess {
    let process = try CommandProcess(
      command: "echo $$ >id; echo one; read line <go; \(command)", directory: folder.path)
    await withCheckedContinuation { continuation in
      loop.watch(
        WatchedCommands.Command(
          process: process,
          sink: .pass { bytes in
            if pieces.current.isEmpty { continuation.resume() }
            pieces.withLock { $0 += bytes }
            return false
          }
        ) { results.append($0) })
    }
    go.writeLine()
    return process
  }

  /// Has the loop look at what there is, and calls `body` on its thread.
  private func onLoop<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      loop.schedule(after: .zero) { continuation.resume(returning: body()) }
    }
  }

  @Test("The end of a command is seen when it comes, although the reader of its output has had enough")
  func endWhilePaused() async throws {
    let pieces = Locked<[UInt8]>([])
    let results = Locked<[CommandResult]>([])
    let process = try await pausedProcess("echo two", pieces: pieces, results: results)
    await waitForExit(of: try folder.processID)

    let isLate = await onLoop { process.timeOut(after: .seconds(1)) }
    loop.resumeReading(process)

    #expect(!isLate)
    #expect(await eventually { !results.current.isEmpty })
    #expect(results.current.map(\.ending) == [.exited(status: 0)])
    #expect(pieces.current == Array("one\ntwo\n".utf8))
  }

  @Test("Nobody has to read for it")
  func endWithoutReader() async throws {
    let pieces = Locked<[UInt8]>([])
    let results = Locked<[CommandResult]>([])
    _ = try await pausedProcess("head -c 60000 /dev/zero", pieces: pieces, results: results)
    #expect(await eventually { !results.current.isEmpty })
    #expect(pieces.current.count == 60_004)
  }

  @Test("Time runs out for what a command has left behind, also while its output is not read")
  func leftBehindWhilePaused() async throws {
    let never = try Fifo(folder.path("never"))
    let results = Locked<[CommandResult]>([])
    let process = try await pausedProcess("cat <never & exit", pieces: Locked([]), results: results)
    await waitForExit(of: try folder.processID)

    let isLate = await onLoop { process.timeOut(after: .seconds(1)) }

    #expect(isLate)
    // Where the system does not tell the end by itself, it is seen with whatever comes next.
    #expect(await eventually { await onLoop { !results.current.isEmpty } })
    #expect(results.current.map(\.ending) == [.timedOut(after: .seconds(1))])
    withExtendedLifetime(never) {}
  }

  @Test("A command whose output is given up has ended with its exit, and what it has written until then is read")
  func givenUp() async throws {
    let later = try Fifo(folder.path("later"))
    let pieces = Locked<[UInt8]>([])
    let results = Locked<[CommandResult]>([])
    let process = try await pausedProcess(
      "echo two; read line <later & exit 5", pieces: pieces, results: results)
    await waitForExit(of: try folder.processID)

    loop.giveUpOutput(of: process)

    #expect(await eventually { !results.current.isEmpty })
    #expect(results.current.map(\.ending) == [.exited(status: 5)])
    #expect(pieces.current == Array("one\ntwo\n".utf8))
    later.writeLine()
  }

  #if os(Linux)
    @Test("The end of what a command has left behind is seen when it comes, although no signal tells it")
    func endOfLeftBehind() async throws {
      let later = try Fifo(folder.path("later"))
      let results = Locked<[CommandResult]>([])
      let process = try await pausedProcess("read line <later & exit", pieces: Locked([]), results: results)
      await waitForExit(of: try folder.processID)
      #expect(await onLoop { results.current.isEmpty })

      later.writeLine()

      #expect(await eventually { !results.current.isEmpty })
      #expect(results.current.map(\.ending) == [.exited(status: 0)])
      withExtendedLifetime(process) {}
    }

    // MARK: The first process of a container

    @Test("Children that are no commands are reaped, also behind a command that has exited")
    func others() async {
      // In a process of its own: other tests have children, too.
      await #expect(processExitsWith: .exitCode(7)) {
        let process = try CommandProcess(command: "exit 3", directory: ".")
        while ChildProcess.exited == nil {}
        let (_, writing) = try Descriptor.pipe()
        let other = try Spawn(output: writing, directory: ".", environment: [:])
          .process(arguments: ["/bin/sh", "-c", ":"])
        blockUntilExit(of: other)
        let loop = CommandLoop(signals: try SignalPipe([SIGCHLD]), reapsOthers: true)
        try SystemThread.start { loop.run { _ in } }

        let result = await withCheckedContinuation { continuation in
          loop.watch(
            WatchedCommands.Command(process: process, sink: .collect(CommandOutput(spool: OutputSpool()))) {
              continuation.resume(returning: $0)
            })
        }
        let isReaped = await eventually { kill(other, 0) != 0 }
        exit(result.ending == .exited(status: 3) && isReaped ? 7 : 1)
      }
    }

    @Test("A command is not reaped with them, so that its status is told")
    func ownStatus() async {
      await #expect(processExitsWith: .exitCode(7)) {
        let process = try CommandProcess(command: "exit 3", directory: ".")
        while ChildProcess.exited == nil {}
        CommandProcess.reapOthers()
        exit(process.reapIfExited() == .exited(status: 3) ? 7 : 1)
      }
    }
  #endif
}
