import Testing

@testable import StructuredOperations

@Suite("ReaderList")
struct ReaderListTests {
  private typealias List = ReaderList<Int>

  private static func channel() -> List.Channel { List.Channel(first: 0, isEnded: false, retention: .all) }

  /// Which of the channels the list still knows; a list that is emptied tells them.
  private static func count(_ list: List) -> Int {
    var list = list
    return list.removeAll().count
  }

  @Test("A new list is empty, one with a reader is not, one that was emptied is")
  func emptiness() {
    var list = List()
    #expect(list.isEmpty)
    let channel = Self.channel()
    list.append(channel)
    #expect(!list.isEmpty)

    let channels = list.removeAll()

    #expect(channels.count == 1)
    #expect(channels.first === channel)
    #expect(list.isEmpty)
  }

  @Test("After the last element the list knows nobody any more")
  func last() {
    var list = List()
    list.append(Self.channel())

    #expect(list.offer(1, isLast: false).isEmpty)
    #expect(!list.isEmpty)
    #expect(list.offer(2, isLast: true).isEmpty)
    #expect(list.isEmpty)
  }

  @Test("Readers that come and go leave no more than a handful behind, however many there were")
  func sweeping() {
    var list = List()
    for _ in 0..<10_000 {
      let channel = Self.channel()
      list.append(channel)
      channel.close()
    }

    #expect(Self.count(list) <= 8)
  }

  @Test("Readers that stay are kept, all of them and in order, while others go")
  func keeping() {
    var list = List()
    var staying: [List.Channel] = []
    for number in 0..<1_000 {
      let channel = Self.channel()
      list.append(channel)
      if number % 3 == 0 { staying.append(channel) } else { channel.close() }
    }

    let channels = list.removeAll()

    #expect(channels.filter { !$0.isClosed }.elementsEqual(staying) { $0 === $1 })
    #expect(channels.count <= 2 * staying.count + 8)
  }

  @Test("A channel that was swept out is freed, though the list lives on")
  func freeing() {
    var list = List()
    list.append(Self.channel())
    weak let first = list.removeAll().first
    #expect(first == nil)

    var swept = Optional(Self.channel())
    weak let closed = swept
    if let swept {
      list.append(swept)
      swept.close()
    }
    swept = nil
    #expect(closed != nil)
    for _ in 0..<8 { list.append(Self.channel()) }

    #expect(closed == nil)
  }
}
