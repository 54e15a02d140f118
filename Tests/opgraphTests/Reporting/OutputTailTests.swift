import Testing

@testable import opgraph

@Suite("OutputTail")
struct OutputTailTests {
  private func lines(_ text: String, _ count: Int, limit: Int = 100) -> [String] {
    var tail = OutputTail(limit: limit)
    tail.append(Array(text.utf8)[...])
    return tail.lines(count).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("The last lines are kept, also one that is not finished, and empty ones")
  func lastLines() {
    #expect(lines("a\nb\nc\n", 2) == ["b", "c"])
    #expect(lines("a\nb\nc", 2) == ["b", "c"])
    #expect(lines("a\n\n", 2) == ["a", ""])
    #expect(lines("a\n", 5) == ["a"])
    #expect(lines("", 5).isEmpty)
  }

  @Test("No more than the limit is kept, however it comes")
  func limit() {
    for pieceLength in 1...25 {
      var tail = OutputTail(limit: 10)
      let all = (0..<200).map { UInt8($0) }
      for start in stride(from: 0, to: all.count, by: pieceLength) {
        tail.append(all[start..<min(start + pieceLength, all.count)])
      }
      #expect(Array(tail.bytes) == Array(190..<200))
      #expect(tail.totalCount == 200)
      #expect(tail.isCut)
    }
  }
}
