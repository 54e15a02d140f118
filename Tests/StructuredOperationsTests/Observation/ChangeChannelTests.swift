import Testing
import TestSupport

@testable import StructuredOperations

@Suite("ChangeChannel", .hangGuard)
struct ChangeChannelTests {
  private func send(_ elements: Range<Int>, to channel: ChangeChannel<Int>, last: Int? = nil) {
    for element in elements {
      channel.offer(element, isLast: element == last)?.forEach { $0.resume() }
    }
  }

  private func rest(of channel: ChangeChannel<Int>) async -> [Int] {
    var elements: [Int] = []
    while let element = await channel.next() { elements.append(element) }
    return elements
  }

  @Test("A channel of all changes gives every one, in order, up to the last")
  func all() async {
    let channel = ChangeChannel(first: 0, isEnded: false, retention: .all)
    let reader = Task { await rest(of: channel) }
    send(1..<10_000, to: channel, last: 9_999)
    #expect(await reader.value == Array(0..<10_000))
  }

  @Test("A channel of the latest change gives growing ones, and the last for certain")
  func latest() async {
    let channel = ChangeChannel(first: 0, isEnded: false, retention: .latest)
    let reader = Task { await rest(of: channel) }
    send(1..<10_000, to: channel, last: 9_999)
    let elements = await reader.value
    #expect(elements == elements.sorted())
    #expect(elements.last == 9_999)
  }

  @Test("A reader that was away gets the latest change alone")
  func latestAfterwards() async {
    let channel = ChangeChannel(first: 0, isEnded: false, retention: .latest)
    send(1..<100, to: channel)
    #expect(await channel.next() == 99)
    channel.end()
    #expect(await channel.next() == nil)
  }

  @Test("A channel that ended at once gives its first element and the end")
  func ended() async {
    let channel = ChangeChannel(first: 1, isEnded: true, retention: .all)
    send(2..<5, to: channel)
    #expect(await rest(of: channel) == [1])
    #expect(await channel.next() == nil)
  }

  @Test("The end lets a waiting reader go, with what was there before it")
  func end() async {
    let channel = ChangeChannel(first: 0, isEnded: false, retention: .all)
    let reader = Task { await rest(of: channel) }
    send(1..<3, to: channel)
    channel.end()
    #expect(await reader.value == [0, 1, 2])
    #expect(!channel.isClosed)
  }

  @Test("Closing drops what is left, and whatever comes later")
  func close() async {
    let channel = ChangeChannel(first: 0, isEnded: false, retention: .all)
    channel.close()
    send(1..<3, to: channel)
    #expect(channel.isClosed)
    #expect(await channel.next() == nil)
  }

  @Test("A reader that is cancelled while it waits closes the channel")
  func cancellation() async {
    let channel = ChangeChannel(first: 0, isEnded: false, retention: .all)
    #expect(await channel.next() == 0)
    let reader = Task { await channel.next() }
    reader.cancel()
    #expect(await reader.value == nil)
    #expect(channel.isClosed)
  }

  @Test("A reader that is cancelled reads what is there, and nothing that comes later, though it never waits")
  func cancellationWithoutWait() async {
    let channel = ChangeChannel(first: 0, isEnded: false, retention: .all)
    send(1..<3, to: channel)
    let reader = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var elements: [Int] = []
      while let element = await channel.next() {
        elements.append(element)
        send(3..<4, to: channel)
      }
      return elements
    }
    #expect(await reader.value == [0, 1, 2])
    #expect(channel.isClosed)
  }

  @Test("Whether the cancellation or an element comes first, the reader returns")
  func cancellationRace() async {
    for _ in 0..<1_000 {
      let channel = ChangeChannel(first: 0, isEnded: false, retention: .all)
      #expect(await channel.next() == 0)
      let reader = Task { await channel.next() }
      async let sent: Void = send(1..<2, to: channel)
      reader.cancel()
      #expect([nil, 1].contains(await reader.value))
      await sent
    }
  }

  @Test("Several readers of one channel are all let go at its end")
  func manyReaders() async {
    let channel = ChangeChannel(first: 0, isEnded: false, retention: .all)
    let readers = (0..<16).map { _ in Task { await rest(of: channel).count } }
    send(1..<1_000, to: channel, last: 999)
    var total = 0
    for reader in readers { total += await reader.value }
    #expect(total == 1_000)
  }
}
