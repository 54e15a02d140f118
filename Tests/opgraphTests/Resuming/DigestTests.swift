import StructuredOperations
import Testing

@testable import opgraph

@Suite("Digest")
struct DigestTests {
  @Test(
    "It is FNV-1a of 128 bits",
    arguments: [
      ("", 0x6c62_272e_07bb_0142, 0x62b8_2175_6295_c58d),
      ("a", 0xd228_cb69_6f1a_8caf, 0x7891_2b70_4e4a_8964),
      ("foobar", 0x343e_1662_793c_64bf, 0x6f0d_3597_ba44_6f18),
    ] as [(String, UInt64, UInt64)])
  func vectors(text: String, high: UInt64, low: UInt64) {
    var digest = Digest()
    digest.add(text.utf8)
    #expect(digest == Digest(high: high, low: low))
  }

  private static let node = Graph.Node(
    id: "a", run: "cc", directory: "x/sub", environment: ["A": "1"], inputs: ["in"], launcher: ["env"])

  private static func digest(_ node: Graph.Node, after numbers: [UInt64] = [1, 2], time: Int = 5) -> Digest {
    Digest(
      of: node, base: "x/", after: numbers, inputTimes: node.inputs.map { _ in FileTime(seconds: time, nanoseconds: 0) }
    )
  }

  @Test("All that a success depends on changes the digest")
  func changes() {
    var digests: Set<Digest> = [Self.digest(Self.node)]
    func insert(_ change: (inout Graph.Node) -> Void) {
      var node = Self.node
      change(&node)
      #expect(digests.insert(Self.digest(node)).inserted)
    }
    insert { $0.directory = "x/other" }
    insert { $0.environment = ["A": "2"] }
    insert { $0.environment["A"] = .some(nil) }
    insert { $0.environment = ["A": ""] }
    insert { $0.environment = ["A1": ""] }
    insert { $0.environment = [:] }
    insert { $0.launcher = ["e", "nv"] }
    insert { $0.launcher = [] }
    insert { $0.inputs = ["other"] }
    insert { $0.outputs = ["out"] }
    insert { $0.outputs = ["out", "log"] }
    insert { $0.outputs = ["outlog"] }
    insert { $0 = Graph.Node(id: "a", run: "cc -O", directory: "x/sub", environment: ["A": "1"], inputs: ["in"]) }
    #expect(digests.insert(Self.digest(Self.node, after: [1])).inserted)
    #expect(digests.insert(Self.digest(Self.node, after: [1, 3])).inserted)
    #expect(digests.insert(Self.digest(Self.node, time: 6)).inserted)
    #expect(
      digests.insert(Digest(of: Self.node, base: "x/", after: [1, 2], inputTimes: [nil])).inserted)
  }

  @Test("No output is taken for an input, whatever the names and the time stamp are")
  func inputsAreNoOutputs() {
    // Without the number of inputs the bytes of the two are the same.
    let input = Graph.Node(id: "a", run: "cc", inputs: ["\u{3}\u{0}\u{0}"])
    let outputs = Graph.Node(id: "a", run: "cc", outputs: ["aaa", "", ""])
    let time = FileTime(seconds: 0x61_6161 << 40, nanoseconds: 0)
    #expect(
      Digest(of: input, base: ".", after: [], inputTimes: [time])
        != Digest(of: outputs, base: ".", after: [], inputTimes: []))
  }

  @Test("What only says when, and how often, a command runs does not change it")
  func otherKeys() {
    var node = Self.node
    node.priority = .high
    node.timeout = .seconds(1)
    node.retries = Graph.Retries(attempts: 3)
    node.pools = ["net"]
    #expect(Self.digest(node) == Self.digest(Self.node))
    #expect(Self.digest(Self.node, after: [2, 1, 2]) == Self.digest(Self.node))
  }

  @Test(
    "Folders count relative to that of the graph",
    arguments: [("x/", "x/"), (".", "./"), ("/y/x/", "/y/x/"), ("/", "/")], ["sub", "\u{301}sub"])
  func relative(base: (String, String), name: String) {
    var (node, expected) = (Self.node, Self.node)
    node.directory = base.1 + name
    expected.directory = "x/" + name
    let times = [FileTime(seconds: 5, nanoseconds: 0)]
    #expect(Digest(of: node, base: base.0, after: [1, 2], inputTimes: times) == Self.digest(expected))
  }

  @Test("The graph's own folder is the same one from everywhere", arguments: [".", "x/", "/y/x/"])
  func ownFolder(base: String) {
    let nodes = [base, "."].map { Graph.Node(id: "a", run: "cc", directory: $0) }
    #expect(
      Digest(of: nodes[0], base: base, after: [], inputTimes: [])
        == Digest(of: nodes[1], base: ".", after: [], inputTimes: []))
  }
}
