import Testing
import TestSupport

@testable import opgraph

@Suite("EventQueue", .hangGuard)
struct EventQueueTests {
  @Test("Events come in order, those sent before and after the reader asks, and then the end")
  func order() async {
    let queue = EventQueue()
    for number in 1...2000 { queue.send(.started(id: "\(number)")) }
    async let lines = queue.stream.reduce(into: []) { $0.append($1.line) }
    for number in 2001...4000 { queue.send(.started(id: "\(number)")) }
    queue.finish()
    #expect(await lines == (1...4000).map { "started \($0)" })
  }

  @Test("An operation may send until its unread output reaches the limit, and others are not concerned")
  func limit() async {
    let freed = Locked<[String]>([])
    let queue = EventQueue(outputLimit: 10, hasRoom: { freed.append($0) })
    #expect(queue.send(output: [1, 2, 3, 4, 5, 6], of: "a"))
    #expect(!queue.send(output: [7, 8, 9, 10], of: "a"))
    #expect(queue.send(output: [1], of: "b"))

    _ = await queue.next()
    // The reader is still at the first one.
    #expect(freed.current == [])
    _ = await queue.next()
    #expect(freed.current == ["a"])
    #expect(queue.send(output: [11], of: "a"))
  }

  @Test("What the reader waits for counts until it asks for the next event")
  func current() async {
    let freed = Locked<[String]>([])
    let queue = EventQueue(outputLimit: 3, hasRoom: { freed.append($0) })
    async let first = queue.next()
    #expect(!queue.send(output: [1, 2, 3], of: "a"))
    _ = await first
    #expect(freed.current == [])
    queue.finish()
    #expect(await queue.next() == nil)
    #expect(freed.current == ["a"])
  }
}
