import Foundation
import Testing

@testable import opgraph

@Suite("Printer")
struct PrinterTests {
  @Test("Times count from the moment before the first command, also where the printer begins later")
  func start() throws {
    let (reading, writing) = try Descriptor.pipe()
    var options = RunOptions(width: 1)
    options.writesEvents = true
    let events = RunEvents()
    events.send(.ended(id: "a", .success))
    events.finish()

    let printer = Printer(output: writing, options: options, environment: [:], junit: nil, onFailure: {})
    #expect(printer.status(printing: events, of: Graph("a"), since: .now - .seconds(100)) == 0)

    writing.close()
    let lines = try String(decoding: reading.readToEnd(), as: UTF8.self).split(separator: "\n")
    let end = try JSONSerialization.jsonObject(with: Data(try #require(lines.last).utf8)) as? [String: Any]
    #expect(end?["event"] as? String == "runEnded")
    #expect(try #require(end?["seconds"] as? Double) >= 100)
  }
}
