import Foundation
import Testing

@testable import opgraph

@Suite("ToolArguments")
struct ToolArgumentsTests {
  /// What the system leaves in memory for a program that begins: a number, pointers, and behind them the strings.
  private final class Memory {
    private let bytes: UnsafeMutablePointer<UInt8>
    private let words: UnsafeMutablePointer<UInt>
    private let count: Int

    /// - Parameters:
    ///   - count: The number that stands before the arguments, if it is not theirs.
    ///   - order: Changes the places of the arguments.
    ///   - end: What is between them and the environment.
    init(
      _ arguments: [String], environment: [String] = ["A=1", "B=2"], count: Int? = nil, end: UInt = 0,
      order: ([UInt]) -> [UInt] = { $0 }
    ) {
      let wordCount = arguments.count + environment.count + 3
      bytes = .allocate(capacity: 10_000)
      bytes.initialize(repeating: 0, count: 10_000)
      words = UnsafeMutableRawPointer(bytes).bindMemory(to: UInt.self, capacity: wordCount)
      var next = bytes + wordCount * MemoryLayout<UInt>.stride
      let pointers = (arguments + environment).map { text in
        for byte in text.utf8 {
          next.pointee = byte
          next += 1
        }
        defer { next += 1 }
        return UInt(bitPattern: next - text.utf8.count)
      }
      self.count = arguments.count
      let content =
        [UInt(count ?? arguments.count)] + order(Array(pointers.prefix(arguments.count))) + [end]
        + pointers.dropFirst(arguments.count) + [0]
      for (index, word) in content.enumerated() { words[index] = word }
    }

    deinit {
      bytes.deallocate()
    }

    /// What is found before the environment.
    var found: [String] {
      let environment = UnsafeMutableRawPointer(words + count + 2)
        .assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
      return ToolArguments.list(before: environment).map { String(cString: $0) }
    }
  }

  @Test(
    "They are found before the environment",
    arguments: [["opgraph"], ["opgraph", "-n", "", "graph.json"], [""]], [[], ["A=1", "B=2"]])
  func found(arguments: [String], environment: [String]) {
    #expect(Memory(arguments, environment: environment).found == arguments)
  }

  @Test("What lies there and is not what the system leaves is not taken for them")
  func inconsistent() {
    let arguments = ["opgraph", "-n", "graph.json"]
    #expect(Memory(arguments, count: 2).found.isEmpty)
    #expect(Memory(arguments, count: 4).found.isEmpty)
    #expect(Memory(arguments, end: 1).found.isEmpty)
    #expect(Memory(arguments, order: { $0.reversed() }).found.isEmpty)
    #expect(Memory(arguments, order: { [$0[0], $0[0], $0[2]] }).found.isEmpty)
    #expect(Memory(arguments, order: { [$0[0], 99, $0[2]] }).found.isEmpty)
    #expect(Memory([]).found.isEmpty)
    #expect(ToolArguments.list(before: nil).isEmpty)
  }

  @Test("Without any, not even the name of the program, they are not known")
  func unknown() {
    #expect(throws: InputError("cannot read the arguments")) { try ToolArguments.text(of: []) }
  }

  @Test("The name of the program is left out, and an argument that is no UTF-8 is told")
  func text() throws {
    // Arrays have no end of their own in C.
    let strings = [[0x6F, 0], [0x2D, 0x6E, 0], [-1, 0x61, 0]].map { bytes -> UnsafeMutablePointer<CChar> in
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
      copy.initialize(from: bytes.map { CChar($0) }, count: bytes.count)
      return copy
    }
    defer { for string in strings { string.deallocate() } }
    #expect(try ToolArguments.text(of: Array(strings.prefix(2))) == ["-n"])
    let error = InputError("argument 2, \"\u{FFFD}a\", is no UTF-8")
    #expect(throws: error) { try ToolArguments.text(of: strings) }
  }

  #if os(Linux)
    @Test("Those of a program that has just begun are found in memory")
    func ownProgram() async {
      // A process of its own: others here have changed the environment.
      await #expect(processExitsWith: .exitCode(7)) {
        let found = ToolArguments.list(before: ToolEnvironment.block).map { String(cString: $0) }
        exit(found == CommandLine.arguments ? 7 : 1)
      }
    }
  #endif
}
