import Foundation
import TestSupport
import Testing

@testable import opgraph

@Suite("RunEvents", .hangGuard)
struct RunEventsTests {
  private let events = RunEvents()

  private func ids(_ batch: [RunEvents.Entry]?) -> [String]? {
    batch?.map { entry in
      guard case .started(let id) = entry.event else { return "?" }
      return id
    }
  }

  @Test("All that are there are taken at once, in their order, and the end comes after the last")
  func batches() {
    events.send(.started(id: "a"))
    events.send(.started(id: "b"))
    #expect(ids(events.next(after: .zero, before: nil)) == ["a", "b"])
    events.send(.started(id: "c"))
    events.finish()
    #expect(ids(events.next(after: .seconds(1_000_000), before: nil)) == ["c"])
    #expect(events.next(after: .zero, before: nil) == nil)
  }

  @Test("At the deadline there is an empty batch")
  func deadline() {
    #expect(ids(events.next(after: .zero, before: .now)) == [])
    #expect(ids(events.next(after: .zero, before: .now + .milliseconds(1))) == [])
  }

  @Test("Events, and their end, wake whoever waits, and none is lost or comes twice")
  func concurrent() async {
    let count = 20_000
    async let producer: Void = Task.detached {
      for index in 0..<count { events.send(.started(id: "\(index)")) }
      events.finish()
    }.value
    let received = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var received: [String] = []
        while let batch = ids(events.next(after: .microseconds(10), before: .now + .microseconds(50))) {
          received += batch
        }
        continuation.resume(returning: received)
      }
    }
    await producer
    #expect(received == (0..<count).map(String.init))
  }

  @Test("An operation may send until its unread output reaches the limit, and others are not concerned")
  func limit() {
    let freed = Locked<[String]>([])
    let events = RunEvents(outputLimit: 10, hasRoom: { freed.append($0) })
    #expect(events.send(output: [1, 2, 3, 4, 5, 6], of: "a"))
    // A full output does not wait for the pause to end.
    #expect(!events.send(output: [7, 8, 9, 10], of: "a"))
    #expect(events.send(output: [1], of: "b"))
    #expect(events.next(after: .seconds(1_000_000), before: nil)?.count == 3)
    // The reader is still at it.
    #expect(!events.send(output: [11], of: "a"))
    #expect(freed.current == [])
    #expect(events.unread(of: "a") == 11)

    #expect(events.next(after: .zero, before: nil)?.count == 1)
    #expect(freed.current == ["a"])
    #expect(events.unread(of: "a") == 1)
    #expect(events.send(output: [12], of: "a"))
  }
}
