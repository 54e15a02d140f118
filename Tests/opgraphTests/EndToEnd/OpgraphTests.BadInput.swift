import Testing

extension OpgraphTests {
  @Suite("bad input")
  struct BadInput {
    @Test(
      "Bad input is one line on standard error, and nothing is run",
      arguments: [
        (#"{"id": "a", "run": "touch ran"},"#, #"line 3: bad JSON: expected a value, found "]""#),
        (
          #"{"id": "a", "run": "touch ran", "after": ["b"]}"#,
          #"line 2: operation "a": unknown dependency "b""#
        ),
        (
          "{\"id\": \"a\", \"run\": \"touch ran\"},\n{\"id\": \"a\", \"run\": \":\"}",
          #"line 3: duplicate id "a""#
        ),
        (
          #"{"id": "a", "run": "touch ran"}, {"id": "b", "run": ":", "after": ["c"]}, {"id": "c", "run": ":", "after": ["b"]}"#,
          "dependency cycle: c -> b -> c"
        ),
        (
          #"{"id": "a", "run": "touch ran"}, {"id": "b", "run": ":", "after": ["b"]}"#,
          "dependency cycle: b -> b"
        ),
        (
          #"{"id": "a", "run": "touch ran", "priority": "urgent"}"#,
          #"line 2: unknown priority "urgent" (known: veryLow, low, normal, high, veryHigh)"#
        ),
        (
          #"{"id": "a", "run": "touch ran", "afters": []}"#,
          #"line 2: unknown key "afters" (known: id, run, after, priority, directory)"#
        ),
        (#"{"id": "a", "run": "touch ran"}, {"id": "b"}"#, #"line 2: the key "run" is missing"#),
        (#"{"id": "", "run": "touch ran"}"#, "line 2: an id is empty"),
        (#"{"id": "a", "run": "touch ran", "directory": "nowhere"}"#, #"line 2: there is no directory "nowhere""#),
      ])
    func graph(operations: String, message: String) async throws {
      let folder = try TemporaryFolder()
      try folder.write("{\"operations\": [\n\(operations)\n]}", to: "graph.json")

      let outcome = try await Tool(folder: folder).run("graph.json")

      #expect(outcome.status == 2)
      #expect(outcome.errors == "opgraph: graph.json: \(message)\n")
      #expect(outcome.output.isEmpty)
      #expect(folder.text("ran") == nil)
    }

    @Test("Standard input has a name, too")
    func standardInput() async throws {
      let outcome = try await Tool(folder: try TemporaryFolder()).run("-", input: "\n[")

      #expect(outcome.status == 2)
      #expect(
        outcome.errors == "opgraph: standard input: line 2: bad JSON: expected a value, found the end of the text\n")
    }

    @Test(
      "Arguments that make no sense, and files that cannot be read",
      arguments: [
        (["nowhere.json"], "nowhere.json: cannot be read: No such file or directory"),
        (["."], ".: cannot be read: Is a directory"),
        (["-j", "0"], #"-j needs a number from 1 up, not "0""#),
        (["--colour"], #"unknown option "--colour"; opgraph --help shows the usage"#),
      ])
    func arguments(arguments: [String], message: String) async throws {
      let outcome = try await Tool(folder: try TemporaryFolder()).start(arguments).outcome()

      #expect(outcome.status == 2)
      #expect(outcome.errors == "opgraph: \(message)\n")
      #expect(outcome.output.isEmpty)
    }
  }
}
