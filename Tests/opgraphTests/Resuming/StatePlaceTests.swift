import Foundation
import Testing

@testable import opgraph

@Suite("StatePlace")
struct StatePlaceTests {
  @Test("The state lies beside the graph, under its name")
  func path() throws {
    let folder = try TemporaryFolder()
    try folder.write("{}", to: "a.b.json")
    let place = try #require(GraphFile(argument: folder.path("a.b.json")).statePlace)
    #expect(place.log == folder.path(".opgraph/a.b.json.state"))
    #expect(place.lock == folder.path(".opgraph/a.b.json.lock"))
  }

  @Test("So it does where the name begins with a combining mark")
  func combiningMark() throws {
    let folder = try TemporaryFolder()
    try folder.write("{}", to: "\u{301}.json")
    let place = try #require(GraphFile(argument: folder.path("\u{301}.json")).statePlace)
    #expect(place.log.unicodeScalars.elementsEqual(folder.path(".opgraph/\u{301}.json.state").unicodeScalars))
  }

  @Test("What is no file has none", arguments: ["-", "/dev/null", "/", "/nowhere/a.json"])
  func none(argument: String) {
    #expect(GraphFile(argument: argument).statePlace == nil)
  }

  @Test(
    "What is named by a descriptor has none, also where that leads to a file", arguments: ["/dev/fd", "/proc/self/fd"])
  func descriptor(folder: String) throws {
    let files = try TemporaryFolder()
    let file = try Descriptor(reading: try files.write("{}", to: "g.json"))
    defer { file.close() }
    #expect(GraphFile(argument: "\(folder)/\(file.number)").statePlace == nil)
  }

  @Test("There are no notes under a name that is too long for a file, and so none to be removed")
  func longName() throws {
    let folder = try TemporaryFolder()
    let name = String(repeating: "n", count: 250)
    #expect(StatePlace(folder: folder.path, name: name).removeNotes(isLocked: false) == .notNeeded)
    // A shorter path may lead there.
    let long = String(repeating: "./", count: Int(PATH_MAX) / 2) + folder.path
    #expect(StatePlace(folder: long, name: "g").removeNotes(isLocked: false) == nil)
  }

  @Test("Opening the log drops what operations have left that there are no more, once there is much to drop")
  func dropping() throws {
    let folder = try TemporaryFolder()
    let place = StatePlace(folder: folder.path, name: "g")
    let ids = (0..<200).map(String.init)
    let file = try place.openLog(following: place.readLog(), ids: ids)
    for id in ids { try file.write(StateLog.line(noting: Note(number: 1, key: Digest()), of: id)) }
    file.close()

    try place.openLog(following: place.readLog(), ids: ids).close()
    #expect(try place.readLog().notes.count == 200)
    try place.openLog(following: place.readLog(), ids: ["7", "8", "new"]).close()
    #expect(try place.readLog().notes.keys.sorted() == ["7", "8"])
    #expect(try folder.names == ["g.state"])
  }
}
