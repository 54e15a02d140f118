import Foundation
import StructuredOperations
import Testing
import TestSupport

@testable import opgraph

/// What a node can say, with real processes.
@Suite("GraphExecution", .hangGuard, .timeLimit(.minutes(15)))
struct GraphExecutionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  func node(_ id: String, _ run: String, after: [String] = []) -> Graph.Node {
    Graph.Node(id: id, run: run, after: after, directory: folder.path)
  }

  private func events(_ nodes: Graph.Node..., pools: [Graph.Pool] = [], limit: Int? = nil) async throws -> [String] {
    try await GraphExecution.events(
      of: Graph(nodes: nodes, pools: pools), options: RunOptions(width: 4, failureLimit: limit))
  }

  // MARK: Environment and launcher

  @Test("Variables are set, replaced and removed, beside those of the tool")
  func environment() async throws {
    setenv("OPGRAPH_TEST_KEPT", "kept", 1)
    setenv("OPGRAPH_TEST_GONE", "there", 1)
    var changed = node(
      "a", #"printf '%s|%s|%s|%s' "$NEW" "$HOME" "${OPGRAPH_TEST_GONE-gone}" "$OPGRAPH_TEST_KEPT" >out"#)
    let changes: [String: String?] = ["NEW": "x=y z", "HOME": "/nowhere", "OPGRAPH_TEST_GONE": nil]
    changed.environment = changes

    #expect(try await events(changed) == ["started a", "done a, exit status 0"])

    #expect(folder.text("out") == "x=y z|/nowhere|gone|kept")
  }

  @Test("A launcher gets the shell and its command as words, and its exit status is the command's")
  func launcher() async throws {
    var launched = node("a", "echo \"a  b\" >out; exit 5")
    // Found through PATH.
    launched.launcher = ["env", "VARIABLE=1", "sh", "-c", #"printf '%s\n' "$@" >words; "$@"; exit $?"#, "name"]

    #expect(try await events(launched) == ["started a", "failed a, exit status 5"])

    #expect(folder.text("out") == "a  b\n")
    #expect(folder.text("words") == "/bin/sh\n-c\n--\necho \"a  b\" >out; exit 5\n")
  }

  @Test("A launcher that does not exist is named")
  func missingLauncher() async throws {
    var launched = node("a", "touch ran")
    launched.launcher = ["no-such-launcher"]
    #expect(
      try await events(launched) == [
        "started a",
        #"failed a, could not be started: cannot run "no-such-launcher": No such file or directory"#,
      ])
  }

  @Test("A signal reaches the launcher and what it has launched")
  func launcherSignal() async throws {
    let never = try Fifo(folder.path("never"))
    let ready = try Fifo(folder.path("ready"))
    var launched = node("a", "trap 'echo inner >>ended; exit 4' TERM; (echo >ready; exec cat <never)")
    launched.launcher = ["sh", "-c", #"trap 'echo outer >>ended' TERM; "$@" & wait; wait; exit 6"#, "name"]

    let events = try await GraphExecution.events(of: Graph(nodes: [launched])) { execution, event in
      guard case .started = event else { return }
      _ = try await ready.line()
      execution.end()
    }

    #expect(events == ["started a", "cancelled a, exit status 6"])
    #expect(folder.text("ended")?.split(separator: "\n").sorted() == ["inner", "outer"])
    withExtendedLifetime(never) {}
  }

  // MARK: Pools

  @Test("A pool holds as many commands as it has places, and others go on")
  func pools() async throws {
    // Each fails where it meets another.
    let command = "mkdir in || exit 1; echo x >>all; rmdir in"
    var nodes = (1...6).map { node("link\($0)", command) }
    for index in nodes.indices { nodes[index].pools = ["link"] }
    let events = try await GraphExecution.events(
      of: Graph(nodes: nodes, pools: [Graph.Pool(name: "link", depth: 1)]),
      options: RunOptions(width: 6, failureLimit: nil))

    #expect(events.count { $0.hasPrefix("done ") } == 6)
    for (index, event) in events.enumerated() {
      // One after the other.
      #expect(event.hasPrefix(index.isMultiple(of: 2) ? "started " : "done "))
    }
  }

  @Test("What waits for a pool leaves its slot to others, and a pool of two holds two")
  func poolOfTwo() async throws {
    let fifos = try ["one", "two"].map { try Fifo(folder.path($0)) }
    // The first two can end only together, and the third only after the one outside of the pool.
    var nodes = [
      node("a", "echo >one; read line <two"), node("b", "echo >two; read line <one"), node("c", ":"), node("free", ":"),
    ]
    for index in 0..<3 { nodes[index].pools = ["p"] }
    let events = try await GraphExecution.events(
      of: Graph(nodes: nodes, pools: [Graph.Pool(name: "p", depth: 2)]),
      options: RunOptions(width: 3, failureLimit: nil))

    #expect(events.prefix(3).sorted() == ["started a", "started b", "started free"])
    #expect(events.count { $0.hasPrefix("done ") } == 4)
    withExtendedLifetime(fifos) {}
  }

  // MARK: Failures

  @Test("What may fail is told as failed, and what comes after it runs")
  func allowedFailure() async throws {
    var flaky = node("flaky", "exit 3")
    flaky.allowsFailure = true
    let events = try await events(flaky, node("next", ":", after: ["flaky"]), limit: 1)
    #expect(
      events == [
        "started flaky", "failed flaky, exit status 3, allowed", "started next", "done next, exit status 0",
      ])
  }

  @Test("After the failure that is one too many nothing is started, and what runs goes on")
  func failureLimit() async throws {
    let go = try Fifo(folder.path("go"))
    let ready = try Fifo(folder.path("ready"))
    let nodes = [
      node("slow", "echo >ready; read line <go"), node("bad", "read line <ready; exit 1"),
      node("after slow", "touch ran", after: ["slow"]), node("last", "touch ran"),
    ]
    let lines = try await GraphExecution.events(
      of: Graph(nodes: nodes), options: RunOptions(width: 2, failureLimit: 1)
    ) { _, event in
      if case .ended(id: "bad", _) = event { go.writeLine() }
    }

    #expect(
      lines == [
        "started slow", "started bad", "failed bad, exit status 1", "done slow, exit status 0",
        "not run after slow, failureLimit", "not run last, failureLimit",
      ])
    #expect(folder.text("ran") == nil)
    withExtendedLifetime(ready) {}
  }

  @Test("What the limit has stopped is told so, also where a signal comes after it")
  func signalAfterLimit() async throws {
    let never = try Fifo(folder.path("never"))
    let ready = try Fifo(folder.path("ready"))
    let nodes = [
      node("slow", "echo >ready; exec cat <never"), node("bad", "read line <ready; exit 1"), node("last", "touch ran"),
    ]
    let lines = try await GraphExecution.events(
      of: Graph(nodes: nodes), options: RunOptions(width: 2, failureLimit: 1)
    ) { execution, event in
      if case .ended(id: "bad", _) = event { execution.end() }
    }

    #expect(
      lines == [
        "started slow", "started bad", "failed bad, exit status 1", "cancelled slow, killed by signal 15",
        "not run last, failureLimit",
      ])
    withExtendedLifetime((never, ready)) {}
  }

  @Test("So many failures as the limit says happen, whether commands fail or cannot be started")
  func failureCount() async throws {
    var missing = node("missing", ":")
    missing.directory = folder.path("nowhere")
    let nodes = [node("bad", "exit 1"), missing] + (1...20).map { node("\($0)", "touch ran; exit 1") }
    let lines = try await GraphExecution.events(
      of: Graph(nodes: nodes), options: RunOptions(width: 1, failureLimit: 2))

    let reason = "cannot enter the directory \(folder.path("nowhere").debugDescription): No such file or directory"
    #expect(
      lines.prefix(4) == [
        "started bad", "failed bad, exit status 1", "started missing",
        "failed missing, could not be started: \(reason)",
      ])
    #expect(lines[4...] == (1...20).map { "not run \($0), failureLimit" }[...])
    #expect(folder.text("ran") == nil)
  }

  // MARK: Time-outs and retries

  @Test("A command that takes too long gets SIGTERM, and after the grace period SIGKILL", arguments: [false, true])
  func timeout(isDeaf: Bool) async throws {
    let never = try Fifo(folder.path("never"))
    let trap = isDeaf ? "trap '' TERM" : "trap 'echo asked >out; exit 0' TERM"
    var slow = node("slow", "\(trap); cat <never & wait; wait")
    slow.timeout = .milliseconds(200)
    let lines = try await GraphExecution.events(
      of: Graph(nodes: [slow, node("next", "touch ran", after: ["slow"])]),
      options: RunOptions(width: 1, failureLimit: nil, grace: isDeaf ? .milliseconds(100) : .seconds(1000)))

    #expect(
      lines == [
        "started slow", "failed slow, timed out after 0.2 s", "not run next, dependencyFailed(root: \"slow\")",
      ])
    #expect(folder.text("out") == (isDeaf ? nil : "asked\n"))
    #expect(folder.text("ran") == nil)
    withExtendedLifetime(never) {}
  }

  @Test(
    "A time-out does not wait for what has left the process group and holds the output",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid"), "not every system has setsid"),
    arguments: [[], ["env"]])
  func escaped(launcher: [String]) async throws {
    let never = try Fifo(folder.path("never"))
    let escaped = try Fifo(folder.path("escaped"))
    var late = node(
      "late", "setsid sh -c 'echo $$ >id; echo >escaped; exec cat <never' & read line <escaped; echo printed")
    late.timeout = .milliseconds(300)
    late.launcher = launcher
    let lines = try await GraphExecution.events(
      of: Graph(nodes: [late]),
      options: RunOptions(
        width: 1, failureLimit: nil, grace: .milliseconds(50), launcherGrace: .milliseconds(50)))

    #expect(lines == ["started late", "failed late, timed out after 0.3 s"])
    // Not there where the machine is so slow that the time was up before.
    if let id = try? folder.processID {
      #expect(kill(id, SIGKILL) == 0)
    }
    withExtendedLifetime((never, escaped)) {}
  }

  @Test("A command that is in time is not disturbed, nor is anything afterwards")
  func inTime() async throws {
    var quick = node("quick", "exit 0")
    quick.timeout = .seconds(1000)
    #expect(try await events(quick) == ["started quick", "done quick, exit status 0"])
  }

  @Test("A failure is followed by further attempts, after pauses that grow, until one succeeds")
  func retries() async throws {
    var flaky = node("flaky", "echo x >>tries; [ $(wc -l <tries) = 4 ]")
    flaky.retries = Graph.Retries(
      attempts: 5, delay: .milliseconds(1), factor: 3, maximumDelay: .milliseconds(5))
    #expect(
      try await events(flaky, node("next", ":", after: ["flaky"]), limit: 1) == [
        "started flaky",
        "retrying flaky after attempt 1, exit status 1, in 0.001 seconds",
        "retrying flaky after attempt 2, exit status 1, in 0.003 seconds",
        "retrying flaky after attempt 3, exit status 1, in 0.005 seconds",
        "done flaky, exit status 0, 4 attempts", "started next", "done next, exit status 0",
      ])
  }

  @Test("After the last attempt the operation has failed, which counts once")
  func exhausted() async throws {
    var bad = node("bad", "exit 7")
    bad.retries = Graph.Retries(attempts: 2)
    var late = node("late", "read line <never")
    late.timeout = .milliseconds(1)
    late.retries = Graph.Retries(attempts: 2)
    let never = try Fifo(folder.path("never"))
    let lines = try await GraphExecution.events(
      of: Graph(nodes: [bad, late, node("last", "touch ran")]), options: RunOptions(width: 1, failureLimit: 2))
    #expect(
      lines == [
        "started bad", "retrying bad after attempt 1, exit status 7, in 0.0 seconds",
        "failed bad, exit status 7, 2 attempts",
        "started late", "retrying late after attempt 1, timed out after 0.001 s, in 0.0 seconds",
        "failed late, timed out after 0.001 s, 2 attempts", "not run last, failureLimit",
      ])
    #expect(folder.text("ran") == nil)
    withExtendedLifetime(never) {}
  }

  @Test("During the pause another command has the slot and the place in the pool")
  func pause() async throws {
    var flaky = node("flaky", "[ -e ran ]")
    flaky.priority = .high
    flaky.pools = ["one"]
    // Long enough that the other one ends meanwhile.
    flaky.retries = Graph.Retries(attempts: 100_000, delay: .milliseconds(20), factor: 1)
    var other = node("other", "touch ran")
    other.pools = ["one"]
    let lines = try await GraphExecution.events(
      of: Graph(nodes: [flaky, other], pools: [Graph.Pool(name: "one", depth: 1)]),
      options: RunOptions(width: 1, failureLimit: 1))
    #expect(lines.first == "started flaky")
    #expect(lines.last?.hasPrefix("done flaky, exit status 0") == true)
    #expect(lines.contains("done other, exit status 0"))
  }

  @Test("A pause is over when the run ends, and the attempt before it was the last", arguments: [false, true])
  func endInPause(isByLimit: Bool) async throws {
    let go = try Fifo(folder.path("go"))
    var flaky = node("flaky", "exit 3")
    flaky.retries = Graph.Retries(attempts: 2, delay: .seconds(100_000), maximumDelay: .seconds(100_000))
    let bad = node("bad", "read line <go; exit 1")
    let lines = try await GraphExecution.events(
      of: Graph(nodes: isByLimit ? [flaky, bad] : [flaky]), options: RunOptions(width: 2, failureLimit: 1)
    ) { execution, event in
      // What has been told is not told again.
      if case .ended("flaky", let result) = event { #expect(result.output == nil && result.duration == .zero) }
      guard case .retrying = event else { return }
      if isByLimit { go.writeLine() } else { execution.end() }
    }
    #expect(lines.contains { $0.hasPrefix("retrying flaky after attempt 1, exit status 3") })
    #expect(lines.last == "failed flaky, exit status 3")
    #expect(lines.contains("failed bad, exit status 1") == isByLimit)
  }

  // MARK: Output

  @Test("Output is told as it comes, and is not kept as well", arguments: [RunOptions.OutputMode.live, .prefixed])
  func live(mode: RunOptions.OutputMode) async throws {
    let go = try Fifo(folder.path("go"))
    let results = Locked<[Bool]>([])
    var options = RunOptions(width: 1)
    options.output = mode
    let lines = try await GraphExecution.events(
      of: Graph(nodes: [node("a", "echo one; read line <go; echo two >&2")]), options: options
    ) { _, event in
      if case .output = event { go.writeLine() }
      if case .ended(_, let result) = event { results.append(result.output == nil) }
    }
    #expect(lines == ["started a", "output a: one\n", "output a: two\n", "done a, exit status 0"])
    #expect(results.current == [true])
  }

  @Test("A command is held up while its output is not read, and others are not; then all of it comes")
  func backPressure() async throws {
    let size = 20_000_000
    let ran = try Fifo(folder.path("ran"))
    var options = RunOptions(width: 2)
    options.output = .live
    let count = Locked(0)
    let most = Locked(0)
    let execution = try await GraphExecution(
      Graph(nodes: [node("a", "head -c \(size) /dev/zero"), node("b", ":"), node("c", "echo >ran", after: ["b"])]),
      options: options, loop: .ofTests)
    async let end: Void = execution.run()

    // Nobody reads, and yet those that print nothing run. What `a` prints lies in the pipe.
    _ = try await ran.line()
    #expect(await eventually { execution.events.unread(of: "a") >= execution.events.outputLimit })
    while let batch = await execution.events.nextBatch() {
      for case .output(_, let bytes) in batch { count.withLock { $0 += bytes.count } }
      most.withLock { $0 = max($0, execution.events.unread(of: "a")) }
    }
    await end
    #expect(count.current == size)
    // One read more, and what lies in the pipe when the command ends.
    #expect(most.current <= execution.events.outputLimit + 65_536 + 16 * sysconf(Int32(_SC_PAGESIZE)))
  }
}
