import Foundation
import Testing

@testable import opgraph

@Suite("StateLog")
struct StateLogTests {
  private let header = Array("opgraph state 1\n".utf8)
  private let first = Note(number: 7, key: Digest(high: 1, low: .max))
  private let second = Note(number: (1 << 62) - 1, key: Digest(high: 0, low: 0xABC))

  @Test("Notes come back from a text, with ids of all kinds")
  func roundTrip() throws {
    let ids = ["a", "with  spaces ", "+ 1", "ä\u{2028}é", "9"]
    var text = header
    for id in ids { text += StateLog.line(noting: first, of: id) }

    let log = try StateLog(text)

    #expect(log.notes == Dictionary(uniqueKeysWithValues: ids.map { ($0, first) }))
    #expect(log.lineCount == 5)
    #expect(!log.isTorn)
    #expect(try StateLog(log.text(keeping: ids)).notes == log.notes)
  }

  @Test("A number from which no run could go on is damage", arguments: [1 << 62, .max])
  func number(number: UInt64) {
    let text = StateLog.line(noting: Note(number: number, key: Digest()), of: "a") + StateLog.line(forgetting: "b")
    #expect(throws: StateLog.Damage.damaged(line: 2)) { try StateLog(header + text) }
  }

  @Test("The last line of an operation counts")
  func order() throws {
    let log = try StateLog(
      header + StateLog.line(noting: first, of: "a") + StateLog.line(noting: first, of: "b")
        + StateLog.line(forgetting: "b") + StateLog.line(noting: second, of: "a") + StateLog.line(forgetting: "c"))

    #expect(log.notes == ["a": second])
    #expect(log.lineCount == 5)
    // What has been dropped does not come back.
    #expect(log.text(keeping: ["b", "a", "d"]) == header + StateLog.line(noting: second, of: "a"))
    #expect(log.text(keeping: ["b"]) == header)
  }

  @Test("Wherever the last line is cut off, the lines before it count")
  func torn() throws {
    let whole = header + StateLog.line(noting: first, of: "a")
    let last = StateLog.line(noting: second, of: "a")
    for length in 1..<last.count {
      let log = try StateLog(whole + last.prefix(length))
      #expect(log.notes == ["a": first])
      #expect(log.isTorn)
    }
    #expect(try StateLog(whole + last).notes == ["a": second])
  }

  @Test("A last line that is whole but wrong is ignored, too")
  func wrongEnd() throws {
    var text = header + StateLog.line(noting: first, of: "a") + StateLog.line(noting: second, of: "a")
    text[text.count - 4] ^= 1
    let log = try StateLog(text)
    #expect(log.notes == ["a": first])
    #expect(log.isTorn)
  }

  @Test("Whichever byte of a line before the end is wrong, the file is damaged there")
  func damaged() {
    let start = header + StateLog.line(noting: first, of: "a")
    let wrong = StateLog.line(noting: second, of: "b c")
    let end = StateLog.line(noting: first, of: "d")
    for index in wrong.indices.dropLast() {
      for mask: UInt8 in [0x01, 0x20, 0x80] {
        var line = wrong
        line[index] ^= mask
        // A digit of a number may be written in another case.
        guard String(decoding: line, as: UTF8.self).lowercased() != String(decoding: wrong, as: UTF8.self) else {
          continue
        }
        let error = #expect(throws: StateLog.Damage.self) { try StateLog(start + line + end) }
        #expect(error == .damaged(line: 3))
      }
    }
    #expect(StateLog.Damage.damaged(line: 3).description == "is damaged in line 3")
  }

  @Test(
    "A text that is no log, and one of another version, are refused",
    arguments: [
      ("opgraph state 2\nx", .otherVersion), ("opgraph state 10\n", .otherVersion), ("{}", .damaged(line: 1)),
      ("opgraph st", .damaged(line: 1)), ("", .damaged(line: 1)),
    ] as [(String, StateLog.Damage)])
  func otherTexts(text: String, damage: StateLog.Damage) {
    let error = #expect(throws: StateLog.Damage.self) { try StateLog(Array(text.utf8)) }
    #expect(error == damage)
  }
}
