import Testing

@testable import StructuredOperations

@Suite("QueueHand")
struct QueueHandTests {
  private typealias Hand = QueueHand<String, Int>

  /// A hand of three, the first of which is a.
  private func dealt(lowestPriority: QueuePriority = .normal) -> Hand {
    var hand = Hand()
    hand.deal(
      [Hand.Card(id: 3, work: "c"), Hand.Card(id: 2, work: "b"), Hand.Card(id: 1, work: "a")], for: 7,
      last: QueuePlace(priority: lowestPriority, rank: 9))
    return hand
  }

  @Test("Each operation that finishes is exchanged for the next card, until there are none")
  func exchanges() {
    var hand = dealt()

    #expect(hand.exchange(10, in: 7)?.work == "a")
    #expect(hand.exchange(11, in: 7)?.work == "b")
    #expect(hand.exchange(1, in: 7)?.work == "c")
    #expect(hand.exchange(12, in: 7) == nil)

    let rest = hand.takeBack()
    #expect(
      rest.exchanges == [
        Hand.Exchange(finished: 10, started: 1), Hand.Exchange(finished: 11, started: 2),
        Hand.Exchange(finished: 1, started: 3),
      ])
    #expect(rest.cards.isEmpty)
    #expect(!hand.isOut)
  }

  @Test("Without a hand there is nothing to exchange, and nothing to take back")
  func nothing() {
    var hand = Hand()
    #expect(hand.exchange(1, in: 7) == nil)
    let rest = hand.takeBack()
    #expect(rest.exchanges.isEmpty && rest.cards.isEmpty)
  }

  @Test("A child task of another lane has to take a turn")
  func otherLane() {
    var hand = dealt()
    #expect(hand.exchange(10, in: 8) == nil)
    #expect(hand.exchange(10, in: 7)?.work == "a")
  }

  @Test("Once something was posted that may come first, a turn has to look, which takes the rest back")
  func disruption() {
    var hand = dealt()
    #expect(hand.exchange(10, in: 7)?.work == "a")

    hand.posted(nil)

    #expect(hand.exchange(11, in: 7) == nil)
    let rest = hand.takeBack()
    #expect(rest.exchanges == [Hand.Exchange(finished: 10, started: 1)])
    #expect(rest.cards.map(\.work) == ["c", "b"])
  }

  @Test("What comes after the cards in any case disturbs nobody", arguments: QueuePriority.allCases)
  func laterOnes(priority: QueuePriority) {
    var hand = dealt(lowestPriority: .normal)
    hand.posted(priority)
    #expect((hand.exchange(10, in: 7) == nil) == (priority > .normal))
  }

  @Test("What was posted before a turn disturbs nobody after it")
  func afterTurn() {
    var hand = Hand()
    hand.posted(nil)
    hand.posted(.veryHigh)
    _ = hand.takeBack()
    hand.deal([Hand.Card(id: 1, work: "a")], for: 7, last: QueuePlace(priority: .veryLow, rank: 1))
    #expect(hand.exchange(10, in: 7)?.work == "a")
  }

  @Test("A hand that was needed is followed by a larger one, one that was not by a smaller one")
  func sizes() {
    var hand = Hand()
    var sizes: [Int] = []
    for isNeeded in [true, true, true, true, true, true, true, false, false] {
      hand.deal([Hand.Card(id: 1, work: "a")], for: 7, last: QueuePlace(priority: .normal, rank: 1))
      if isNeeded { _ = hand.exchange(10, in: 7) }
      sizes.append(hand.takeBack().nextSize)
    }
    #expect(sizes == [2, 4, 8, 16, 32, 64, 64, 32, 16])
    for _ in 0..<10 {
      hand.deal([Hand.Card(id: 1, work: "a")], for: 7, last: QueuePlace(priority: .normal, rank: 1))
      _ = hand.takeBack()
    }
    #expect(hand.takeBack().nextSize == 1)
  }

  @Test("What becomes ready affects the cards where it comes before one of them")
  func becomingReady() {
    let hand = dealt(lowestPriority: .normal)
    #expect(hand.isUnaffected(by: QueuePlace(priority: .normal, rank: 10)))
    #expect(hand.isUnaffected(by: QueuePlace(priority: .low, rank: 1)))
    #expect(!hand.isUnaffected(by: QueuePlace(priority: .normal, rank: 8)))
    #expect(!hand.isUnaffected(by: QueuePlace(priority: .high, rank: 10)))
  }

  @Test(
    "Where nothing is ready, the slot goes over to what has waited, until something is posted",
    arguments: [nil, QueuePriority.low])
  func handingOver(posted priority: QueuePriority?) {
    var hand = Hand()
    #expect(hand.handOver(1, to: 2) == false)
    hand.leaveVacant()
    #expect(hand.handOver(1, to: 2) == true)
    #expect(hand.handOver(2, to: 3) == true)
    #expect(hand.isOut)

    hand.posted(priority)

    #expect(hand.handOver(3, to: 4) == false)
    let rest = hand.takeBack()
    #expect(rest.exchanges == [Hand.Exchange(finished: 1, started: 2), Hand.Exchange(finished: 2, started: 3)])
    #expect(rest.cards.isEmpty && rest.nextSize == 1)
    #expect(hand.handOver(4, to: 5) == false)
  }

  @Test("Once something has become ready of which a turn will hear, no slot is handed over")
  func readiness() {
    var hand = Hand()
    hand.leaveVacant()
    hand.becameReady()
    #expect(hand.handOver(1, to: 2) == false)
  }

  @Test("A turn lets go of those that have finished, from time to time")
  func longChain() {
    var hand = Hand()
    hand.leaveVacant()
    var count = 0
    while hand.handOver(count, to: count + 1) { count += 1 }
    #expect(count == Hand.largestSize)
  }
}
