import Testing

@testable import opgraph

@Suite("RunState")
struct RunStateTests {
  @Test("A log that can be neither written nor emptied is removed, with the notes that could not be taken back")
  func removed() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("notes", to: "g.state")
    // Not open for writing, so that both fail.
    let state = RunState(policy: UpToDatePolicy(notes: [:]), log: try Descriptor(reading: path), path: path)
    let node = Graph.Node(id: "a", run: ":")

    #expect(state.decision(for: node) == .run)
    try state.willStart(node)
    state.ended("a", isSuccess: true)

    #expect(try folder.names.isEmpty)
  }
}
