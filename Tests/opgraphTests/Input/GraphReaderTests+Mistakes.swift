import TestSupport
import Testing

@testable import opgraph

extension GraphReaderTests {
  /// What is refused, and how it is told.
  @Suite("mistakes in graphs")
  struct MistakesInGraphs {
    private func refusal(_ text: String) -> String? {
      let reader = GraphReader(file: "g", directory: "base") { $0 == "base/sub" || $0 == "/abs" }
      let error = #expect(throws: InputErrors.self) { try reader.graph(from: Array(text.utf8)) }
      return error?.description
    }

    @Test(
      "A mistake at the top is told with its place",
      arguments: [
        ("[]", "g:1:1: expected an object, found an array"),
        ("3", "g:1:1: expected an object, found a number"),
        ("\n{}", #"g:2:1: the key "operations" is missing"#),
        ("{\"operations\":\n3}", #"g:2:1: "operations": expected an array, found a number"#),
        ("{\"operations\": [\ntrue]}", "g:2:1: expected an object, found a boolean"),
        (
          #"{"operations": [], "operations": []}"#,
          #"g:1:20: the key "operations" stands twice; the other is on line 1"#
        ),
        (
          #"{"operations": [], "x": 1}"#,
          #"g:1:20: unknown key "x" (known: $schema, operations, pools, defaults, launcher)"#
        ),
        (#"{"operations": [], "$schema": 1}"#, #"g:1:31: "$schema": expected a string, found a number"#),
        (#"{"operations": [], "launcher": "srun"}"#, #"g:1:32: "launcher": expected an array, found a string"#),
        (#"{"operations": [], "launcher": [""]}"#, #"g:1:33: "launcher" has an empty string"#),
        (#"{"operations": [], "pools": []}"#, #"g:1:29: "pools": expected an object, found an array"#),
        (
          #"{"operations": [], "pools": {"p": 1, "p": 2}}"#,
          #"g:1:38: the key "p" stands twice; the other is on line 1"#
        ),
        (#"{"operations": [], "pools": {"p": 0}}"#, #"g:1:35: "p": expected a whole number from 1 up, found 0"#),
        (#"{"operations": [], "pools": {"p": 1.5}}"#, #"g:1:35: "p": expected a whole number from 1 up, found 1.5"#),
        (#"{"operations": [], "pools": {"p": {}}}"#, #"g:1:35: the key "depth" is missing"#),
        (
          #"{"operations": [], "pools": {"p": {"depth": 1, "deep": 1}}}"#,
          #"g:1:48: unknown key "deep" (known: depth, launcher)"#
        ),
        (#"{"operations": [], "pools": {"": 1}}"#, #"g:1:30: "pools" has an empty string"#),
        (#"{"operations": [], "pools": {"\n": 1}}"#, #"g:1:30: "pools" has a control character: "\n""#),
        (#"{"operations": [], "defaults": 1}"#, "g:1:32: expected an object, found a number"),
        (
          #"{"operations": [], "defaults": {"id": "a"}}"#,
          #"g:1:33: unknown key "id" (known: priority, directory, timeout, retries, env, pools, allowFailure, launcher)"#
        ),
        (#"{"operations": [], "defaults": {"pools": "p"}}"#, #"g:1:42: unknown pool "p""#),
        (#"{"operations": [], "defaults": {"directory": "x"}}"#, #"g:1:46: there is no directory "base/x""#),
      ])
    func top(text: String, message: String) {
      #expect(refusal(text) == message)
    }

    @Test(
      "A mistake in an operation is told with its place",
      arguments: [
        (
          #"{"id": "a", "run": ":", "dir": "."}"#,
          #"g:2:25: unknown key "dir" (known: id, run, after, priority, directory, timeout, retries, env, pools, allowFailure, inputs, outputs, launcher)"#
        ),
        (#"{"id": "a", "run": ":", "timout": 1}"#, #"g:2:25: unknown key "timout"; did you mean "timeout"?"#),
        (#"{"id": "a", "id": "b", "run": ":"}"#, #"g:2:13: the key "id" stands twice; the other is on line 2"#),
        (#"{"id": "a"}"#, #"g:2:1: the key "run" is missing"#),
        (#"  {"run": ":"}"#, #"g:2:3: the key "id" is missing"#),
        (#"{"id": "", "run": ":"}"#, #"g:2:8: "id" has an empty string"#),
        (#"{"id": "a\nb", "run": ":"}"#, #"g:2:8: "id" has a control character: "a\nb""#),
        (#"{"id": "\u009b", "run": ":"}"#, #"g:2:8: "id" has a control character: "\u{9B}""#),
        (#"{"id": "a\u202e", "run": ":"}"#, #"g:2:8: "id" has a character that cannot be seen: "a\u{202E}""#),
        (#"{"id": "\u200b", "run": ":"}"#, #"g:2:8: "id" has a character that cannot be seen: "\u{200B}""#),
        (#"{"id": "\u2028", "run": ":"}"#, #"g:2:8: "id" has a character that cannot be seen: "\u{2028}""#),
        (#"{"id": 1, "run": ":"}"#, #"g:2:8: "id": expected a string, found a number"#),
        (#"{"id": "é", "run": null}"#, #"g:2:20: "run": expected a string, found null"#),
        (#"{"id": "a", "run": "x\u0000"}"#, #"g:2:20: "run" has a NUL character"#),
        (#"{"id": "a", "run": ":", "after": 1}"#, #"g:2:34: "after": expected a string or an array, found a number"#),
        (#"{"id": "a", "run": ":", "after": [{}]}"#, #"g:2:35: "after": expected a string, found an object"#),
        (
          #"{"id": "a", "run": ":", "priority": "urgent"}"#,
          #"g:2:37: unknown priority "urgent" (known: veryLow, low, normal, high, veryHigh)"#
        ),
        (#"{"id": "a", "run": ":", "priority": "hihg"}"#, #"g:2:37: unknown priority "hihg"; did you mean "high"?"#),
        (
          #"{"id": "a", "run": ":", "directory": "nowhere"}"#,
          #"g:2:38: operation "a": there is no directory "base/nowhere""#
        ),
        (
          #"{"directory": "/nowhere", "id": "a", "run": ":"}"#,
          #"g:2:15: operation "a": there is no directory "/nowhere""#
        ),
        (#"{"id": "a", "run": ":", "directory": "/abs\u0000"}"#, #"g:2:38: "directory" has a NUL character"#),
        (#"{"id": "a", "run": ":", "timeout": 0}"#, #"g:2:36: "timeout": expected a number above 0, found 0"#),
        (#"{"id": "a", "run": ":", "timeout": "1"}"#, #"g:2:36: "timeout": expected a number above 0, found a string"#),
        (
          #"{"id": "a", "run": ":", "timeout": 1e300}"#,
          #"g:2:36: "timeout": expected a number up to 1000000000, found 1e+300"#
        ),
        (
          #"{"id": "a", "run": ":", "retries": -1}"#,
          #"g:2:36: "retries": expected a whole number from 0 up, found -1"#
        ),
        (
          #"{"id": "a", "run": ":", "retries": true}"#,
          #"g:2:36: "retries": expected a whole number from 0 up or an object, found a boolean"#
        ),
        (#"{"id": "a", "run": ":", "retries": {}}"#, #"g:2:36: the key "attempts" is missing"#),
        (
          #"{"id": "a", "run": ":", "retries": {"attempts": 1, "factor": 0.5}}"#,
          #"g:2:62: "factor": expected a number from 1 up, found 0.5"#
        ),
        (
          #"{"id": "a", "run": ":", "retries": {"attempts": 1, "dealy": 1}}"#,
          #"g:2:52: unknown key "dealy"; did you mean "delay"?"#
        ),
        (#"{"id": "a", "run": ":", "env": []}"#, #"g:2:32: "env": expected an object, found an array"#),
        (#"{"id": "a", "run": ":", "env": {"A": 1}}"#, #"g:2:38: "A": expected a string, found a number"#),
        (#"{"id": "a", "run": ":", "env": {"A=": ""}}"#, #"g:2:33: "A=" cannot be the name of a variable"#),
        (#"{"id": "a", "run": ":", "env": {"": ""}}"#, #"g:2:33: "" cannot be the name of a variable"#),
        (#"{"id": "a", "run": ":", "pools": "lnk"}"#, #"g:2:34: unknown pool "lnk"; did you mean "link"?"#),
        (#"{"id": "a", "run": ":", "pools": ["cc", "cc"]}"#, #"g:2:41: the pool "cc" stands twice"#),
        (
          #"{"id": "a", "run": ":", "allowFailure": 1}"#, #"g:2:41: "allowFailure": expected a boolean, found a number"#
        ),
        (#"{"id": "a", "run": ":", "inputs": "a"}"#, #"g:2:35: "inputs": expected an array, found a string"#),
        (#"{"id": "a", "run": ":", "outputs": [""]}"#, #"g:2:37: "outputs" has an empty string"#),
        (
          #"{"id": "a", "run": ":", "after": "b"}"#,
          #"g:2:34: operation "a": unknown dependency "b""#
        ),
        (
          "{\"id\": \"one\", \"run\": \":\"},\n{\"id\": \"two\", \"run\": \":\", \"after\": [\"one\", \"oen\"]}",
          #"g:3:44: operation "two": unknown dependency "oen"; did you mean "one"?"#
        ),
        (
          #"{"id": "build", "run": ":", "after": "buidl"}"#,
          #"g:2:38: operation "build": unknown dependency "buidl""#
        ),
        (
          "{\"id\": \"a\", \"run\": \":\"},\n{\"run\": \":\", \"id\": \"a\"}",
          #"g:3:20: duplicate id "a"; the other is on line 2"#
        ),
      ])
    func operations(objects: String, message: String) {
      #expect(refusal("{\"operations\": [\n\(objects)\n], \"pools\": {\"cc\": 1, \"link\": 1}}") == message)
    }

    @Test("An output of two operations, and an input made by one that does not come before, are told where they stand")
    func files() {
      let text = #"""
        {"operations": [
          {"id": "gen", "run": ":", "inputs": ["a", "b"], "outputs": ["gen.txt", "config.h"]},
          {"id": "use", "run": ":", "inputs": ["c", "../base/gen.txt"]},
          {"id": "b", "run": ":", "outputs": ["x", "./config.h"]},
          {"id": "other", "run": ":", "outputs": ["x"], "directory": "sub"}
        ]}
        """#

      #expect(
        refusal(text) == #"""
          g:3:45: operation "use": input "../base/gen.txt" is an output of "gen", which it does not come after
          g:4:44: operation "b": output "./config.h" is an output of "gen", too
          """#)
    }

    @Test("Files are looked at with the default directory, and only where nothing else is wrong")
    func filesLast() {
      let text = #"""
        {"operations": [
          {"id": "gen", "run": ":", "outputs": ["x"]},
          {"id": "use", "run": ":", "directory": "sub", "inputs": ["x"], "aftr": "gen"}
        ], "defaults": {"directory": "sub"}}
        """#
      #expect(refusal(text) == #"g:3:66: unknown key "aftr"; did you mean "after"?"#)
      #expect(
        refusal(text.replacing(#", "aftr": "gen""#, with: ""))
          == #"g:3:60: operation "use": input "x" is an output of "gen", which it does not come after"#)
    }

    @Test("A cycle is told with its names, what needs what, and the line of each, from the first in the file")
    func cycle() {
      let text = #"""
        {"operations": [
          {"id": "free", "run": ":", "after": "egg"},
          {"id": "egg", "run": ":", "after": ["hen"]},
          {"id": "hen", "run": ":", "after": ["chick"]}, {"id": "self", "run": ":", "after": ["self"]},
          {"id": "chick", "run": ":", "after": ["egg"]}
        ]}
        """#

      #expect(
        refusal(text) == """
          g:3:39: dependency cycle: egg (line 3) needs hen (line 4) needs chick (line 5) needs egg
          g:4:87: dependency cycle: self (line 4) needs self
          """)
    }

    @Test("Of a long cycle the first names are told")
    func longCycle() {
      let operations = (0..<50).map { #"{"id": "\#($0)", "run": ":", "after": "\#(($0 + 1) % 50)"}"# }
      let message = refusal("{\"operations\": [\(operations.joined(separator: ","))]}")
      #expect(message?.hasSuffix("needs 19 (line 1) needs … (30 more) needs 0") == true)
    }

    @Test("All mistakes are told at once, in the order of the file")
    func several() {
      let text = #"""
        {"operations": [
          {"id": "a", "run": 1, "after": ["x"], "rnu": 2},
          {"id": "b", "run": ":", "after": ["b"]},
          {"id": "b", "run": ":", "timeout": -1}
        ], "pool": {}}
        """#

      #expect(
        refusal(text) == #"""
          g:2:22: "run": expected a string, found a number
          g:2:35: operation "a": unknown dependency "x"
          g:2:41: unknown key "rnu"; did you mean "run"?
          g:3:37: dependency cycle: b (line 3) needs b
          g:4:10: duplicate id "b"; the other is on line 3
          g:4:38: "timeout": expected a number above 0, found -1
          g:5:4: unknown key "pool"; did you mean "pools"?
          """#)
    }

    @Test("A key that stands many times, behind many unknown ones, takes no quadratic time", .hangGuard)
    func manyDoubled() {
      let count = 40_000
      let unknown = (0..<count).map { "\"\($0)\": 0, " }.joined()
      let doubled = String(repeating: #""id": "a", "#, count: count + 1)
      let message = refusal("{\"operations\": [{\(unknown)\(doubled)\"run\": \":\"}]}")
      let lines = message?.split(separator: "\n") ?? []
      #expect(lines.last == "… and \(2 * count - lines.count + 1) more")
    }

    @Test("Each unknown pool is told where it stands, in the defaults as well")
    func unknownPools() {
      let text = #"""
        {"operations": [
          {"id": "a", "run": ":", "pools": ["p", "x"]},
          {"id": "b", "run": ":"},
          {"id": "c", "run": ":", "pools": ["y"]}
        ], "pools": {"p": 1}, "defaults": {"pools": "z"}}
        """#

      #expect(
        refusal(text) == #"""
          g:2:42: unknown pool "x"
          g:4:37: unknown pool "y"
          g:5:45: unknown pool "z"
          """#)
    }

    @Test("After a syntax error nothing is told, what was wrong before it is")
    func syntax() {
      #expect(
        refusal("{\"operations\": [\n{\"id\": 1},\n{\"id\": 2,},\n{\"id\": 3}]}") == #"""
          g:2:1: the key "run" is missing
          g:2:8: "id": expected a string, found a number
          g:3:9: bad JSON: nothing follows this comma but "}"
          """#)
    }

    @Test("Of many mistakes the first twenty are told", arguments: [20, 21, 500])
    func many(count: Int) throws {
      let operations = (1...count).map { "{\"id\": \"\($0)\"}" }.joined(separator: "\n,")
      let lines = try #require(refusal("{\"operations\": [\n\(operations)]}")).split(separator: "\n")

      #expect(lines.count == min(count, 21))
      #expect(lines[19] == #"g:21:2: the key "run" is missing"#)
      if count > 20 { #expect(lines.last == "… and \(count - 20) more") }
    }
  }
}
