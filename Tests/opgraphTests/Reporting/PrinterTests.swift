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
    let end = try #require(try self.events(from: reading).last)
    #expect(end["event"] as? String == "runEnded")
    #expect(try #require(end["seconds"] as? Double) >= 100)
  }

  @Test("Times are those of the events, however late the printer comes to them")
  func late() throws {
    let (reading, writing) = try Descriptor.pipe()
    var options = RunOptions(width: 1)
    options.writesEvents = true
    let events = RunEvents()
    let start = ContinuousClock.now - .seconds(100)
    events.send(.started(id: "a"), at: start + .seconds(1))
    events.send(.ended(id: "a", .success), at: start + .seconds(3))
    events.finish(at: start + .seconds(4))

    let printer = Printer(output: writing, options: options, environment: [:], junit: nil, onFailure: {})
    #expect(printer.status(printing: events, of: Graph("a"), since: start) == 0)

    writing.close()
    let printed = try self.events(from: reading)
    #expect(printed.compactMap { $0["event"] as? String } == ["runBegan", "started", "ended", "runEnded"])
    #expect(printed.compactMap { $0["time"] as? Double } == [0, 1, 3, 4])
    #expect(printed.last?["seconds"] as? Double == 4)
  }

  private func events(from reading: Descriptor) throws -> [[String: Any]] {
    try String(decoding: reading.readToEnd(), as: UTF8.self).split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }
}
