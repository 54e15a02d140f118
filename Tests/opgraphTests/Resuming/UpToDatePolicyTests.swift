import Testing

@testable import opgraph

@Suite("UpToDatePolicy")
struct UpToDatePolicyTests {
  /// Runs of one graph after another, with notes that pass from one to the next.
  private struct Runs {
    var notes: [String: Note] = [:]
    /// By path, in seconds.
    var files: [String: Int] = [:]

    /// The ids of those that run, each of which succeeds and writes its outputs at that time, unless it fails.
    ///
    /// Those behind one that fails are not decided on, as in a run.
    mutating func run(
      _ nodes: [Graph.Node], isResuming: Bool = false, failing: Set<String> = [], allowed: Bool = false,
      at time: Int = 10
    ) -> [String] {
      var policy = UpToDatePolicy(notes: notes, isResuming: isResuming)
      var ran: [String] = []
      var blocked: Set<String> = []
      for node in nodes {
        guard !node.after.contains(where: blocked.contains) else {
          blocked.insert(node.id)
          continue
        }
        let files = files
        guard policy.decision(for: node, time: { files[$0].map { FileTime(seconds: $0, nanoseconds: 0) } }) == .run
        else {
          continue
        }
        ran.append(node.id)
        if policy.willStart(node.id) { notes[node.id] = nil }
        let isSuccess = !failing.contains(node.id)
        if let note = policy.ended(node.id, isSuccess: isSuccess) { notes[node.id] = note }
        if isSuccess {
          for output in node.outputs { self.files[node.path(of: output)] = time }
        } else if !allowed {
          blocked.insert(node.id)
        }
      }
      return ran
    }
  }

  private func node(
    _ id: String, _ run: String = ":", after: [String] = [], in inputs: [String] = [], out outputs: [String] = []
  ) -> Graph.Node {
    Graph.Node(id: id, run: run, after: after, inputs: inputs, outputs: outputs)
  }

  // MARK: Resuming

  @Test("What succeeded is left out when resuming, and only then")
  func resuming() {
    let graph = [node("a"), node("b", after: ["a"]), node("c", after: ["b"])]
    var runs = Runs()
    #expect(runs.run(graph, failing: ["b"]) == ["a", "b"])
    #expect(runs.run(graph, isResuming: true) == ["b", "c"])
    #expect(runs.run(graph, isResuming: true) == [])
    #expect(runs.run(graph) == ["a", "b", "c"])
  }

  @Test("A changed command runs again, and all that comes after it, directly or not")
  func changedCommand() {
    var graph = [node("a"), node("b", after: ["a"]), node("c", after: ["b"]), node("d", after: ["a"])]
    var runs = Runs()
    _ = runs.run(graph)
    graph[1] = node("b", "true", after: ["a"])
    #expect(runs.run(graph, isResuming: true) == ["b", "c"])
  }

  @Test("Another set of predecessors makes an operation run, another order does not")
  func changedPredecessors() {
    var graph = [node("a"), node("b"), node("c", after: ["a", "b"])]
    var runs = Runs()
    _ = runs.run(graph)
    graph[2] = node("c", after: ["b", "a", "b"])
    #expect(runs.run(graph, isResuming: true) == [])
    graph[2] = node("c", after: ["b"])
    #expect(runs.run(graph, isResuming: true) == ["c"])
  }

  @Test("What came after an earlier success of a predecessor runs, although no command has changed")
  func staleSuccess() {
    let graph = [node("a"), node("b", after: ["a"]), node("c", after: ["b"])]
    var runs = Runs()
    _ = runs.run(graph)
    // Only the first one is selected.
    #expect(runs.run([graph[0]]) == ["a"])
    #expect(runs.run(graph, isResuming: true) == ["b", "c"])
  }

  @Test("A failure takes back the note of the success before it")
  func failureForgets() {
    let graph = [node("a")]
    var runs = Runs()
    _ = runs.run(graph)
    _ = runs.run(graph, failing: ["a"])
    #expect(runs.run(graph, isResuming: true) == ["a"])
  }

  @Test("A failure that is allowed is no success, so it runs again, and so does what comes after it")
  func allowedFailure() {
    let graph = [node("a"), node("b", after: ["a"])]
    var runs = Runs()
    #expect(runs.run(graph, failing: ["a"], allowed: true) == ["a", "b"])
    #expect(runs.run(graph, isResuming: true, failing: ["a"], allowed: true) == ["a", "b"])
  }

  @Test("Where an operation names its inputs only, they have to be as old as before")
  func inputsOnly() {
    let graph = [node("test", in: ["in"])]
    var runs = Runs()
    runs.files["./in"] = 1
    _ = runs.run(graph)
    #expect(runs.run(graph, isResuming: true) == [])
    runs.files["./in"] = 2
    #expect(runs.run(graph, isResuming: true) == ["test"])
    #expect(runs.run(graph, isResuming: true) == [])
  }

  // MARK: Inputs and outputs

  private var compiling: [Graph.Node] {
    [
      node("a", in: ["a.c"], out: ["a.o"]), node("b", in: ["b.c"], out: ["b.o", "/elsewhere/b.d"]),
      node("link", after: ["a", "b"], in: ["a.o", "b.o"], out: ["all"]),
    ]
  }

  private func compiled() -> Runs {
    var runs = Runs()
    runs.files = ["./a.c": 1, "./b.c": 1]
    #expect(runs.run(compiling) == ["a", "b", "link"])
    return runs
  }

  @Test("Outputs that are no older than the inputs are up to date", arguments: [false, true])
  func upToDate(isResuming: Bool) {
    var runs = compiled()
    #expect(runs.files["/elsewhere/b.d"] == 10)
    #expect(runs.run(compiling, isResuming: isResuming) == [])
  }

  @Test("A missing output, and a newer input, make it run, and what comes after it", arguments: [false, true])
  func outOfDate(isResuming: Bool) {
    var runs = compiled()
    runs.files["/elsewhere/b.d"] = nil
    #expect(runs.run(compiling, isResuming: isResuming, at: 20) == ["b", "link"])
    runs.files["./a.c"] = 30
    #expect(runs.run(compiling, isResuming: isResuming, at: 40) == ["a", "link"])
    runs.files["./all"] = nil
    #expect(runs.run(compiling, isResuming: isResuming, at: 50) == ["link"])
    #expect(runs.run(compiling, isResuming: isResuming) == [])
  }

  @Test("An output that is older than an input is out of date, although nothing has changed since the success")
  func olderOutput() {
    var runs = compiled()
    runs.files["./b.o"] = 0
    #expect(runs.run(compiling) == ["b", "link"])
  }

  @Test("An input that was changed while the command ran is read again, although the outputs are newer")
  func changedMeanwhile() {
    var runs = compiled()
    runs.files["./a.c"] = 9
    #expect(runs.run(compiling) == ["a", "link"])
  }

  @Test("An input that is not there makes it run, so that its absence is told")
  func missingInput() {
    var runs = compiled()
    runs.files["./a.c"] = nil
    #expect(runs.run(compiling, failing: ["a"]) == ["a"])
    #expect(runs.run(compiling, failing: ["a"]) == ["a"])

    // Also where it came while the last run went on, so that it was not there then either, and the outputs are there.
    #expect(runs.run([compiling[0]]) == ["a"])
    #expect(runs.run([compiling[0]]) == ["a"])
  }

  @Test("A changed command makes it run; so does one that failed after it had written its outputs")
  func changedCommandOfOutputs() {
    var runs = compiled()
    var graph = compiling
    graph[0] = node("a", "cc -O", in: ["a.c"], out: ["a.o"])
    #expect(runs.run(graph, failing: ["a"]) == ["a"])
    runs.files["./a.o"] = 20
    #expect(runs.run(graph, at: 30) == ["a", "link"])
    #expect(runs.run(graph) == [])
  }

  @Test("Another list of outputs makes it run, also where all of them are there", arguments: [false, true])
  func changedOutputs(isResuming: Bool) {
    var runs = compiled()
    var graph = compiling
    runs.files["./a.d"] = 20
    graph[0].outputs = ["a.o", "a.d"]
    #expect(runs.run(graph, isResuming: isResuming, at: 30) == ["a", "link"])
    graph[0].outputs = ["a.o"]
    #expect(runs.run(graph, isResuming: isResuming, at: 40) == ["a", "link"])
    #expect(runs.run(graph, isResuming: isResuming) == [])
  }

  @Test("Outputs without inputs are up to date while they are there")
  func outputsOnly() {
    let graph = [node("configure", out: ["config.h"])]
    var runs = Runs()
    #expect(runs.run(graph) == ["configure"])
    #expect(runs.run(graph) == [])
    runs.files = [:]
    #expect(runs.run(graph) == ["configure"])
  }

  @Test("A predecessor that always runs has them run, too")
  func phonyPredecessor() {
    let graph = [node("always"), node("a", after: ["always"], out: ["x"])]
    var runs = Runs()
    #expect(runs.run(graph) == ["always", "a"])
    #expect(runs.run(graph) == ["always", "a"])
    #expect(runs.run(graph, isResuming: true) == [])
  }

  // MARK: Without notes

  @Test("Without notes everything runs, whatever the files are", arguments: [false, true])
  func withoutNotes(isResuming: Bool) {
    var runs = compiled()
    runs.notes = [:]
    #expect(runs.run(compiling, isResuming: isResuming) == ["a", "b", "link"])
  }

  @Test("A file is absolute by its first byte")
  func absolute() {
    #expect(node("a").path(of: "/\u{301}") == "/\u{301}")
    #expect(node("a").path(of: "\u{301}/x") == "./\u{301}/x")
  }

  @Test("Numbers of successes go on from those of the notes")
  func numbers() {
    let note = Note(number: 41, key: Digest())
    var policy = UpToDatePolicy(notes: ["x": note])
    #expect(policy.decision(for: node("a"), time: { _ in nil }) == .run)
    #expect(policy.ended("a", isSuccess: true)?.number == 42)
  }

  @Test("A note is taken back once, however often the command starts")
  func takenBack() {
    var policy = UpToDatePolicy(notes: ["a": Note(number: 1, key: Digest())])
    let first = policy.willStart("a")
    let second = policy.willStart("a")
    #expect(first && !second)
  }
}
