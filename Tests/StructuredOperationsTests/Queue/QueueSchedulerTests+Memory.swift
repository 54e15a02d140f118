import Testing

@testable import StructuredOperations

extension QueueSchedulerTests {
  private final class Object: Sendable {}

  @Test("What has finished is kept alive no longer, though others are still in the queue")
  func release() {
    var scheduler = QueueScheduler<Object>(maxConcurrentOperationCount: 1, defaultWidth: 1)
    var object = Optional(Object())
    weak let finished = object
    if let object { _ = scheduler.add(object, priority: .normal, readiness: .ready) }
    object = nil
    _ = scheduler.add(Object(), priority: .normal, readiness: .ready)
    #expect(finished != nil)

    if let id = scheduler.startNext()?.id { scheduler.finished(id) }

    #expect(finished == nil)
    #expect(scheduler.entryCount == 1)
  }

  @Test("Identifiers of finished operations are used again, so that a long-lived queue does not grow")
  func reuse() {
    var scheduler = Self.scheduler(limit: 1)
    var ids: Set<Int> = []
    let first = scheduler.append("first")
    for number in 0..<10_000 {
      let id = scheduler.append("\(number)", readiness: .skipped)
      ids.insert(id)
      #expect(id != first)
      _ = scheduler.skipAll()
    }

    #expect(ids.count == 1)
  }

  @Test("The room that a burst needed is given back once the queue is empty", arguments: [1_000, 1_025, 20_000])
  func burst(count: Int) {
    var scheduler = Self.scheduler(limit: -1)
    for number in 0..<count { _ = scheduler.append("\(number)") }
    var finishedCount = 0
    while case .start(let id, _) = scheduler.next() {
      scheduler.finished(id)
      finishedCount += 1
    }

    #expect(finishedCount == count)
    #expect(scheduler.isEmpty)
    #expect(Self.capacity(scheduler) <= 1_024)
    // It goes on as a new one would.
    #expect(scheduler.append("after") < 1_024)
    #expect(scheduler.startAll() == ["after"])
  }

  @Test("The room that a burst needed is given back, though one that came before it stays")
  func burstAroundAnother() {
    var scheduler = Self.scheduler(limit: -1)
    let first = scheduler.append("first")
    #expect(scheduler.startNext()?.id == first)
    for number in 0..<50_000 {
      // Some are ready and are cancelled then, so that items of theirs are left.
      let id = scheduler.append("\(number)")
      if number.isMultiple(of: 5) { scheduler.update(id, to: .skipped) }
    }
    for _ in 0..<50_000 {
      switch scheduler.next() {
      case .start(let id, _), .skip(let id, _): scheduler.finished(id)
      case .dismissCaller, .resume, .nothing: Issue.record("something does not start")
      }
    }

    #expect(scheduler.operations == ["first"])
    #expect(Self.capacity(scheduler) <= 1_024)
    #expect(scheduler.append("after") < 1_024)
    #expect(scheduler.startAll() == ["after"])
    scheduler.finished(first)
    #expect(scheduler.entryCount == 1)
  }

  @Test("One that was skipped twice leaves once, and is forgotten with its place", arguments: [false, true])
  func skippedTwice(runsInCaller: Bool) {
    var scheduler = Self.scheduler(limit: -1)
    for number in 0..<1_100 { _ = scheduler.append("\(number)") }
    let last = scheduler.add("last", priority: .normal, readiness: .blocked, runsInCaller: runsInCaller)
    while let id = scheduler.startNext()?.id { scheduler.finished(id) }
    scheduler.update(last, to: .skipped)
    scheduler.update(last, to: .blocked)
    scheduler.update(last, to: .skipped)

    guard case .skip(last, _) = scheduler.next() else {
      Issue.record("the last one is not skipped")
      return
    }
    scheduler.finished(last)

    #expect(Self.capacity(scheduler) <= 1_024)
    guard case .nothing = scheduler.next() else {
      Issue.record("something is left")
      return
    }
  }

  @Test("Items whose places are gone are removed like any others", arguments: [false, true])
  func staleItemsWithoutPlaces(isInLine: Bool) {
    var scheduler = Self.scheduler(limit: 0)
    func skip(_ ids: [Int]) {
      for id in ids where isInLine { scheduler.leaveLine(id) }
      for id in ids { scheduler.update(id, to: .skipped) }
      #expect(scheduler.skipAll().count == ids.count)
    }
    func add() -> Int { scheduler.add("", priority: .normal, readiness: .ready, isInLine: isInLine) }
    skip((0..<2_000).map { _ in add() })
    #expect(Self.capacity(scheduler) <= 1_024)

    for _ in 0..<100 { skip([add()]) }

    #expect(scheduler.isEmpty)
    #expect(scheduler.line.itemCount < 100)
  }

  @Test("Priorities that change again and again leave no items behind")
  func staleItems() {
    var scheduler = Self.scheduler(limit: 1, isSuspended: true)
    let ids = (0..<100).map { scheduler.append("\($0)") }
    for round in 0..<200 {
      for id in ids { scheduler.setPriority(id, to: QueuePriority.allCases[(round + id) % 5]) }
    }
    // Of the 20 000 items that were made hardly more than the 100 that count are left.
    #expect(Self.size(of: Mirror(reflecting: scheduler)) < 5_000)
    scheduler.resume()
    scheduler.setMaxConcurrentOperationCount(100)

    #expect(scheduler.startAll().count == 100)
  }

  @Test("Nor do those of one in line for its limits")
  func staleItemsInLine() {
    var scheduler = Self.scheduler(limit: 1)
    let id = scheduler.add("limited", priority: .normal, readiness: .ready, isInLine: true)
    for number in 0..<10_000 { scheduler.setPriority(id, to: number.isMultiple(of: 2) ? .high : .low) }
    #expect(scheduler.line.itemCount < 100)
  }

  @Test("Operations that are cancelled while they are ready leave no items behind, though the queue is never empty")
  func staleItemsOfCancelled() {
    var scheduler = Self.scheduler(limit: 0)
    _ = scheduler.append("first")
    for number in 0..<5_000 {
      scheduler.update(scheduler.append("\(number)"), to: .skipped)
      _ = scheduler.skipAll()
    }

    #expect(scheduler.entryCount == 1)
    #expect(Self.size(of: Mirror(reflecting: scheduler)) < 1_000)
    scheduler.setMaxConcurrentOperationCount(1)
    #expect(scheduler.startAll() == ["first"])
  }

  /// How many places for entries the scheduler holds.
  private static func capacity(_ scheduler: Scheduler) -> Int {
    Mirror(reflecting: scheduler).children.lazy
      .filter { ["entries", "works"].contains($0.label) }
      .map { Mirror(reflecting: $0.value).children.count }
      .max() ?? .max
  }

  /// How many values the parts of a value are made of.
  private static func size(of mirror: Mirror) -> Int {
    mirror.children.reduce(1) { $0 + size(of: Mirror(reflecting: $1.value)) }
  }
}
