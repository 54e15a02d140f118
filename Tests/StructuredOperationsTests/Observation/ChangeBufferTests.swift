import Testing

@testable import StructuredOperations

@Suite("ChangeBuffer")
struct ChangeBufferTests {
  private typealias Buffer = ChangeBuffer<Int, String>

  /// What a reader gets, in comparable form.
  enum Take: Equatable {
    case deliver(Int), finish, wait

    init(_ action: ChangeBuffer<Int, String>.TakeAction) {
      switch action {
      case .deliver(let element): self = .deliver(element)
      case .finish: self = .finish
      case .wait: self = .wait
      }
    }
  }

  private static func takes(_ buffer: inout Buffer, count: Int) -> [Take] {
    (0..<count).map { _ in Take(buffer.take()) }
  }

  @Test("The first element is there from the beginning", arguments: [Buffer.Retention.all, .latest])
  private func first(retention: Buffer.Retention) {
    var buffer = Buffer(first: 0, isEnded: false, retention: retention)

    #expect(Self.takes(&buffer, count: 2) == [.deliver(0), .wait])
  }

  @Test("A late reader gets the one element there is, and the end", arguments: [Buffer.Retention.all, .latest])
  private func late(retention: Buffer.Retention) {
    var buffer = Buffer(first: 0, isEnded: true, retention: retention)

    #expect(Self.takes(&buffer, count: 3) == [.deliver(0), .finish, .finish])
  }

  @Test(
    "A slow reader gets all that was offered, or the latest alone, and then the end",
    arguments: [
      (.all, [.deliver(0), .deliver(1), .deliver(2), .finish]), (.latest, [.deliver(2), .finish, .finish, .finish]),
    ] as [(Buffer.Retention, [Take])])
  private func slow(retention: Buffer.Retention, takes: [Take]) {
    var buffer = Buffer(first: 0, isEnded: false, retention: retention)

    #expect(Array(buffer.offer(1, isLast: false)) == [])
    #expect(Array(buffer.offer(2, isLast: true)) == [])

    #expect(Self.takes(&buffer, count: 4) == takes)
  }

  @Test("A quick reader gets every element, whatever is kept", arguments: [Buffer.Retention.all, .latest])
  private func quick(retention: Buffer.Retention) {
    var buffer = Buffer(first: 0, isEnded: false, retention: retention)
    var takes = Self.takes(&buffer, count: 1)

    for element in 1..<4 {
      _ = buffer.offer(element, isLast: element == 3)
      takes += Self.takes(&buffer, count: 1)
    }

    #expect(takes == [.deliver(0), .deliver(1), .deliver(2), .deliver(3)])
    #expect(Take(buffer.take()) == .finish)
  }

  @Test("A reader waits where there is nothing, and is woken once, by the next element")
  func waiting() {
    var buffer = Buffer(first: 0, isEnded: false, retention: .all)
    _ = buffer.take()

    #expect(buffer.park("one") == true)
    #expect(buffer.park("other") == true)
    #expect(Array(buffer.offer(1, isLast: false)) == ["one", "other"])
    #expect(Array(buffer.offer(2, isLast: false)) == [])
  }

  @Test("A reader does not wait where an element has come meanwhile")
  func noWaitForElement() {
    var buffer = Buffer(first: 0, isEnded: false, retention: .all)
    _ = buffer.take()
    _ = buffer.offer(1, isLast: false)

    #expect(buffer.park("reader") == false)
    #expect(Array(buffer.offer(2, isLast: false)) == [])
  }

  @Test("A reader does not wait where the end has come meanwhile")
  func noWaitForEnd() {
    var (ended, closed) = (
      Buffer(first: 0, isEnded: false, retention: .all), Buffer(first: 0, isEnded: false, retention: .all)
    )
    _ = (ended.take(), closed.take())

    #expect(Array(ended.end()) == [])
    #expect(Array(closed.close()) == [])

    #expect(ended.park("reader") == false)
    #expect(closed.park("reader") == false)
  }

  @Test("The end wakes those that wait, leaves what was offered, and nothing comes after it")
  func end() {
    var buffer = Buffer(first: 0, isEnded: false, retention: .all)
    _ = buffer.take()
    #expect(buffer.park("reader") == true)

    #expect(Array(buffer.end()) == ["reader"])
    #expect(Array(buffer.offer(1, isLast: false)) == [])
    #expect(Self.takes(&buffer, count: 2) == [.finish, .finish])

    var unread = Buffer(first: 0, isEnded: false, retention: .all)
    #expect(Array(unread.end()) == [])
    #expect(Self.takes(&unread, count: 2) == [.deliver(0), .finish])
    #expect(!unread.isClosed)
  }

  @Test("Nothing comes after the last element")
  func afterLast() {
    var buffer = Buffer(first: 0, isEnded: false, retention: .latest)
    _ = buffer.offer(1, isLast: true)

    #expect(Array(buffer.offer(2, isLast: true)) == [])

    #expect(Self.takes(&buffer, count: 2) == [.deliver(1), .finish])
  }

  @Test("A closed buffer wakes those that wait, drops what it holds and takes no more")
  func close() {
    var buffer = Buffer(first: 0, isEnded: false, retention: .all)
    _ = buffer.take()
    #expect(buffer.park("reader") == true)
    #expect(!buffer.isClosed)

    #expect(Array(buffer.close()) == ["reader"])
    #expect(buffer.isClosed)
    #expect(Array(buffer.offer(1, isLast: false)) == [])
    #expect(Take(buffer.take()) == .finish)
    #expect(Array(buffer.close()) == [])

    var unread = Buffer(first: 0, isEnded: false, retention: .all)
    _ = unread.close()
    #expect(Take(unread.take()) == .finish)
  }

  @Test("A cancelled buffer wakes those that wait, keeps what it holds and takes no more")
  func cancel() {
    var buffer = Buffer(first: 0, isEnded: false, retention: .all)
    _ = buffer.take()
    #expect(buffer.park("reader") == true)

    #expect(Array(buffer.cancel()) == ["reader"])
    #expect(buffer.isClosed)
    #expect(Array(buffer.offer(1, isLast: false)) == [])
    #expect(Take(buffer.take()) == .finish)

    var unread = Buffer(first: 0, isEnded: false, retention: .all)
    _ = unread.cancel()
    #expect(Self.takes(&unread, count: 2) == [.deliver(0), .finish])
  }
}
