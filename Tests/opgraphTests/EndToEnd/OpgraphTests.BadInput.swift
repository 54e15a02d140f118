import Testing

extension OpgraphTests {
  @Suite("bad input")
  struct BadInput {
    @Test(
      "Bad input is told in a line for each mistake on standard error, and nothing is run",
      arguments: [
        (#"{"id": "a", "run": "touch ran"},"#, [#"2:32: bad JSON: nothing follows this comma but "]""#]),
        (
          #"{"id": "a", "run": "touch ran", "after": ["b"]}"#,
          [#"2:43: operation "a": unknown dependency "b""#]
        ),
        (
          "{\"id\": \"a\", \"run\": \"touch ran\"},\n{\"id\": \"a\", \"run\": \":\"}",
          [#"3:8: duplicate id "a"; the other is on line 2"#]
        ),
        (
          #"{"id": "a", "run": "touch ran"}, {"id": "b", "run": ":", "after": ["c"]}, {"id": "c", "run": ":", "after": ["b"]}"#,
          ["2:68: dependency cycle: b (line 2) needs c (line 2) needs b"]
        ),
        (
          #"{"id": "a", "run": "touch ran", "directory": "nowhere", "pools": "x"}"#,
          [#"2:46: operation "a": there is no directory "./nowhere""#, #"2:66: unknown pool "x""#]
        ),
      ])
    func graph(operations: String, messages: [String]) async throws {
      let folder = try TemporaryFolder()
      try folder.write("{\"operations\": [\n\(operations)\n]}", to: "graph.json")

      let outcome = try await Tool(folder: folder).run("graph.json")

      #expect(outcome.status == 2)
      #expect(outcome.errors == messages.map { "graph.json:\($0)\n" }.joined())
      #expect(outcome.output.isEmpty)
      #expect(folder.text("ran") == nil)
    }

    @Test("The name of the file does not break the line of a mistake")
    func fileName() async throws {
      let folder = try TemporaryFolder()
      try folder.write("[", to: "a\nb:1:1: \u{9B}2J")
      let outcome = try await Tool(folder: folder).run("a\nb:1:1: \u{9B}2J")
      #expect(outcome.errors.hasPrefix(#"a\nb:1:1: \u{9B}2J:1:2: bad JSON"#))
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test("Standard input has a name, too")
    func standardInput() async throws {
      let outcome = try await Tool(folder: try TemporaryFolder()).run("-", input: "\n[")

      #expect(outcome.status == 2)
      #expect(
        outcome.errors == "standard input:2:2: bad JSON: expected a value, found the end of the text\n")
    }

    @Test(
      "Arguments that make no sense, and files that cannot be read",
      arguments: [
        (["nowhere.json"], "nowhere.json: cannot be read: No such file or directory"),
        (["."], ".: cannot be read: Is a directory"),
        ([""], #"FILE is "", which names no file"#),
        (["\u{1B}[2J\nforged"], #"\u{1B}[2J\nforged: cannot be read: No such file or directory"#),
        (["-j", "0"], #"-j needs a number from 1 up, not "0""#),
        (["--colour"], #"unknown option "--colour"; did you mean "--color"?"#),
      ])
    func arguments(arguments: [String], message: String) async throws {
      let outcome = try await Tool(folder: try TemporaryFolder()).start(arguments).outcome()

      #expect(outcome.status == 2)
      #expect(outcome.errors == "opgraph: \(message)\n")
      #expect(outcome.output.isEmpty)
    }

    @Test("An argument that is no UTF-8 is told as that, whatever it is for", arguments: ["", "--report="])
    func noText(option: String) async throws {
      let folder = try TemporaryFolder()
      let running = try Tool(folder: folder).start(
        ["-", option], input: #"{"operations": []}"#,
        through: ["/bin/sh", "-c", #"exec "$1" "$2" "$3$(printf 'a\377')""#, "sh"])
      let outcome = await running.outcome()
      #expect(outcome.status == 2)
      #expect(outcome.errors == "opgraph: argument 2, \"\(option)a\u{FFFD}\", is no UTF-8\n")
      #expect(try folder.names.isEmpty)
    }
  }
}
