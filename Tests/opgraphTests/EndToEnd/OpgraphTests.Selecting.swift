import Testing

extension OpgraphTests {
  @Suite("selecting and showing")
  struct Selecting {
    private let folder: TemporaryFolder
    private let tool: Tool

    init() throws {
      folder = try TemporaryFolder()
      tool = Tool(folder: folder)
      try folder.write(
        #"""
        {"operations": [
          {"id": "c", "run": "echo c >>log", "after": "a"},
          {"id": "b", "run": "echo b >>log", "priority": "low"},
          {"id": "a", "run": "echo a >>log"},
          {"id": "d", "run": "echo d >>log", "priority": "high"}
        ]}
        """#, to: "opgraph.json")
    }

    @Test("The operations that are named run, and what they need")
    func selection() async throws {
      let outcome = try await tool.run("opgraph.json", "c", "b")

      #expect(outcome.status == 0)
      #expect(folder.text("log")?.split(separator: "\n").sorted() == ["a", "b", "c"])
    }

    @Test("An operation that there is not is bad input")
    func unknown() async throws {
      let outcome = try await tool.run("opgraph.json", "a", "bb")

      #expect(outcome.status == 2)
      #expect(outcome.errors == "opgraph: unknown operation \"bb\"; did you mean \"b\"?\n")
      #expect(try folder.names == ["opgraph.json"])
    }

    @Test("Without a file that of the current folder is run")
    func currentFolder() async throws {
      let outcome = try await tool.run()

      #expect(outcome.status == 0)
      #expect(folder.text("log")?.split(separator: "\n").sorted() == ["a", "b", "c", "d"])
    }

    @Test("Where there is none the usage goes to standard error, and nothing is run")
    func noFile() async throws {
      let empty = try TemporaryFolder()
      try empty.write("x", to: "file")

      let outcome = try await Tool(folder: empty).run()

      #expect(outcome.status == 2)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.hasPrefix("usage: opgraph [OPTION]... [FILE [ID]...]\n"))
      #expect(outcome.errors.hasSuffix("opgraph: there is no FILE, and no opgraph.json in this folder\n"))
      #expect(try empty.names == ["file"])
    }

    @Test("-n tells what a run does, in the order of one with -j1, and runs nothing")
    func dryRun() async throws {
      let plan = try await tool.run("-n")
      #expect(plan.status == 0)
      #expect(plan.lines == ["d  echo d >>log", "a  echo a >>log", "c  echo c >>log", "b  echo b >>log"])
      #expect(try folder.names == ["opgraph.json"])

      _ = try await tool.run("-j1")
      #expect(folder.text("log") == "d\na\nc\nb\n")
    }

    @Test("--list and --graph show the selection, and run nothing")
    func showing() async throws {
      let list = try await tool.run("--list", "opgraph.json", "c")
      let dot = try await tool.run("--graph=dot", "opgraph.json", "c")
      let mermaid = try await tool.run("--graph", "mermaid", "opgraph.json", "c")

      #expect(list.lines == ["c  echo c >>log", "a  echo a >>log"])
      #expect(dot.lines.first == "digraph operations {")
      #expect(dot.lines.filter { $0.contains("->") } == ["  n1 -> n0"])
      #expect(mermaid.lines == ["flowchart LR", "  n0[\"c\"]", "  n1[\"a\"]", "  n1 --> n0"])
      #expect([list, dot, mermaid].allSatisfy { $0.status == 0 && $0.errors.isEmpty })
      #expect(try folder.names == ["opgraph.json"])
    }

    @Test("--version tells the version")
    func version() async throws {
      let outcome = try await tool.run("--version")
      #expect(outcome.status == 0)
      #expect(outcome.lines.count == 1)
      #expect(outcome.lines[0].wholeMatch(of: #/opgraph [0-9]+\.[0-9]+\.[0-9]+/#) != nil)
    }
  }
}
