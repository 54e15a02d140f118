import StructuredOperationsTesting
import Testing
import TestSupport

@Suite("OperationRecorder", .hangGuard)
struct OperationRecorderTests {
  private let recorder = OperationRecorder<String>()

  @Test("It tells who began, who ended, who runs, and how many did at most")
  func history() {
    recorder.begin("a")
    recorder.begin("b")
    recorder.end("a")
    recorder.begin("c")
    #expect(recorder.begun == ["a", "b", "c"])
    #expect(recorder.ended == ["a"])
    #expect(recorder.running == ["b", "c"])
    #expect(recorder.peak == 2)
    #expect(recorder.events == [.began("a"), .began("b"), .ended("a"), .began("c")])
    #expect(recorder.runningSets == [["a"], ["a", "b"], ["b"], ["b", "c"]])
  }

  @Test("One that runs twice at a time counts twice, and runs until both have ended")
  func twice() {
    recorder.begin("a")
    recorder.begin("a")
    recorder.end("a")
    #expect(recorder.peak == 2)
    #expect(recorder.running == ["a"])
    recorder.begin("b")
    #expect(!recorder.ran("a", before: "b"))
    recorder.end("b")
    recorder.end("a")
    #expect(recorder.running == [])
    #expect(recorder.runningSets == [["a"], ["a"], ["a"], ["a", "b"], ["a"], []])
  }

  @Test("One overlaps itself where two intervals of it do, and not where it ran once, or again")
  func overlappingItself() {
    for _ in 0..<2 {
      recorder.note("a")
      #expect(!recorder.overlapped("a", "a"))
    }
    #expect(!recorder.overlapped("b", "b"))
    recorder.begin("a")
    recorder.note("b")
    #expect(!recorder.overlapped("a", "a") && !recorder.overlapped("b", "b"))
    recorder.begin("a")
    #expect(recorder.overlapped("a", "a") && recorder.overlapped("a", "b") && !recorder.overlapped("b", "b"))
  }

  @Test("It tells who ran before whom and who ran beside whom")
  func order() {
    recorder.note("a")
    recorder.begin("b")
    recorder.note("c")
    recorder.end("b")
    #expect(recorder.ran("a", before: "b"))
    #expect(recorder.ran("a", before: "c"))
    #expect(!recorder.ran("b", before: "a"))
    #expect(!recorder.ran("b", before: "c"))
    #expect(!recorder.ran("c", before: "b"))
    #expect(!recorder.ran("a", before: "d"))
    #expect(!recorder.ran("d", before: "a"))
    #expect(recorder.overlapped("b", "c"))
    #expect(!recorder.overlapped("a", "b"))
    recorder.begin("a")
    #expect(!recorder.ran("a", before: "b"))
  }

  @Test("A stretch ends when its closure returns or throws")
  func stretches() async throws {
    #expect(recorder.record("a") { recorder.running } == ["a"])
    #expect(throws: CancellationError.self) { try recorder.record("b") { throw CancellationError() } }
    let running = await recorder.record("c") {
      await Task.yield()
      return recorder.running
    }
    #expect(running == ["c"])
    #expect(recorder.ended == ["a", "b", "c"])
    #expect(recorder.running == [])
  }
}
