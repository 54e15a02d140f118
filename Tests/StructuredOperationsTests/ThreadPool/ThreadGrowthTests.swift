import Testing

@testable import StructuredOperations

@Suite("ThreadGrowth")
struct ThreadGrowthTests {
  /// One whose threads up to the base have each got a job, and on which so many more jobs wait.
  private static func busy(base: Int, maximum: Int, backlog: Int) -> ThreadGrowth {
    var growth = ThreadGrowth(base: base, maximum: maximum)
    for _ in 0..<min(base, maximum) {
      _ = growth.enqueued(hasIdleThread: false)
      growth.arrived()
      growth.tookJob()
    }
    for _ in 0..<backlog { _ = growth.enqueued(hasIdleThread: false) }
    return growth
  }

  @Test("Up to the base every job gets a thread at once; then the monitor is started, once")
  func base() {
    var growth = ThreadGrowth(base: 3, maximum: 100)

    let actions = (0..<6).map { _ in growth.enqueued(hasIdleThread: false) }

    #expect(actions == [.addThread, .addThread, .addThread, .startMonitor, .nothing, .nothing])
    #expect(growth.threadCount == 3)
    #expect(growth.backlog == 6)
    #expect(growth.isMonitored)
  }

  @Test("A thread without a job is woken rather than another one made")
  func idleThread() {
    var growth = ThreadGrowth(base: 3, maximum: 100)

    #expect(growth.enqueued(hasIdleThread: true) == .wakeThread)
    #expect(growth.threadCount == 0)
    #expect(growth.backlog == 1)
  }

  @Test("The base is never more than the maximum")
  func smallMaximum() {
    var growth = ThreadGrowth(base: 8, maximum: 2)

    let actions = (0..<3).map { _ in growth.enqueued(hasIdleThread: false) }

    #expect(actions == [.addThread, .addThread, .startMonitor])
    #expect(growth.tick(busyThreads: 0) == .addThreads(0))
  }

  @Test("While every body blocks the threads double, up to as many as there are jobs")
  func doubling() {
    var growth = Self.busy(base: 2, maximum: 1_000, backlog: 62)
    var counts = [growth.threadCount]

    while growth.backlog > 0, counts.count < 20 {
      let countBefore = growth.threadCount
      _ = growth.tick(busyThreads: 0)
      let added = growth.threadCount - countBefore
      counts.append(growth.threadCount)
      // Each new thread takes a job, which blocks.
      for _ in 0..<added {
        growth.arrived()
        growth.tookJob()
      }
      #expect(growth.tick(busyThreads: added) == .addThreads(0))
    }

    #expect(counts == [2, 4, 8, 16, 32, 64])
  }

  @Test("The first tick after the monitor started adds as many threads as there are")
  func firstTick() {
    var growth = Self.busy(base: 4, maximum: 1_000, backlog: 62)

    #expect(growth.tick(busyThreads: 0) == .addThreads(4))
    #expect(growth.threadCount == 8)
  }

  @Test(
    "A tick adds no more than jobs without a thread, threads there are, and room there is",
    arguments: [
      (maximum: 100, backlog: 1, woken: 0, added: 1), (maximum: 100, backlog: 3, woken: 0, added: 3),
      (maximum: 100, backlog: 9, woken: 0, added: 4), (maximum: 100, backlog: 5, woken: 3, added: 2),
      (maximum: 100, backlog: 3, woken: 3, added: 0), (maximum: 6, backlog: 9, woken: 0, added: 2),
      (maximum: 4, backlog: 9, woken: 0, added: 0),
    ])
  func limits(row: (maximum: Int, backlog: Int, woken: Int, added: Int)) {
    var growth = Self.busy(base: 4, maximum: row.maximum, backlog: row.backlog - row.woken)
    for _ in 0..<row.woken { #expect(growth.enqueued(hasIdleThread: true) == .wakeThread) }

    #expect(growth.tick(busyThreads: 0) == .addThreads(row.added))
    #expect(growth.threadCount == 4 + row.added)
  }

  @Test(
    "Where some threads get on, as many are added as are missing from the base",
    arguments: [
      (busy: 1, backlog: 9, added: 3), (busy: 3, backlog: 9, added: 1), (busy: 1, backlog: 2, added: 2),
      (busy: 4, backlog: 9, added: 0), (busy: 5, backlog: 9, added: 0),
    ])
  func busyThreads(row: (busy: Int, backlog: Int, added: Int)) {
    var growth = Self.busy(base: 4, maximum: 100, backlog: row.backlog)

    #expect(growth.tick(busyThreads: row.busy) == .addThreads(row.added))
    #expect(growth.threadCount == 4 + row.added)
  }

  @Test("Threads that have been added and have not begun yet are not added again")
  func slowThreads() {
    var growth = Self.busy(base: 4, maximum: 1_000, backlog: 10)

    let added = (0..<3).map { _ in growth.tick(busyThreads: 0) }

    #expect(added == [.addThreads(4), .addThreads(6), .addThreads(0)])
    // One finds no job: another thread, which had one, was quicker.
    for _ in 0..<10 { growth.arrived() }
    for _ in 0..<9 { growth.tookJob() }
    #expect(growth.tick(busyThreads: 10) == .addThreads(0))
    #expect(growth.tick(busyThreads: 0) == .addThreads(1))
  }

  @Test("Threads that could not be created are not expected")
  func failedThreads() {
    var growth = Self.busy(base: 4, maximum: 1_000, backlog: 6)
    #expect(growth.tick(busyThreads: 0) == .addThreads(4))
    growth.failedToCreateThreads(missing: 4)
    growth.createdThreads()

    #expect(growth.tick(busyThreads: 0) == .addThreads(4))
    #expect(growth.tick(busyThreads: 0) == .addThreads(2))
  }

  @Test("The monitor sleeps after 20 ticks without a backlog, and is started again when one comes")
  func quiet() {
    var growth = Self.busy(base: 1, maximum: 100, backlog: 1)
    growth.tookJob()

    let actions = (0..<20).map { _ in growth.tick(busyThreads: 0) }

    #expect(actions == Array(repeating: .addThreads(0), count: 19) + [.stop])
    #expect(!growth.isMonitored)
    #expect(growth.enqueued(hasIdleThread: false) == .startMonitor)
    #expect(growth.tick(busyThreads: 0) == .addThreads(1))
  }

  @Test("A backlog starts the count of quiet ticks anew")
  func disturbed() {
    var growth = Self.busy(base: 1, maximum: 100, backlog: 1)
    growth.tookJob()
    for _ in 0..<19 { _ = growth.tick(busyThreads: 0) }

    #expect(growth.enqueued(hasIdleThread: false) == .nothing)
    _ = growth.tick(busyThreads: 0)
    growth.tookJob()

    for _ in 0..<19 { #expect(growth.tick(busyThreads: 0) == .addThreads(0)) }
    #expect(growth.tick(busyThreads: 0) == .stop)
  }

  @Test("Threads that are lost make room for others")
  func lostThread() {
    var growth = Self.busy(base: 2, maximum: 100, backlog: 0)

    growth.lostThread()

    #expect(growth.threadCount == 1)
    #expect(growth.enqueued(hasIdleThread: false) == .addThread)
    #expect(growth.enqueued(hasIdleThread: false) == .startMonitor)
  }

  @Test("A monitor that could not be made is asked for again")
  func lostMonitor() {
    var growth = Self.busy(base: 1, maximum: 100, backlog: 1)
    #expect(growth.isMonitored)

    #expect(growth.lostMonitor() == true)

    #expect(growth.enqueued(hasIdleThread: false) == .startMonitor)
    #expect(growth.lostMonitor() == false, "idle threads were told")
  }

  @Test("After a refusal the platform is asked at longer and longer intervals, and threads without a job end soon")
  func refusals() {
    var growth = Self.busy(base: 2, maximum: 100, backlog: 9)
    let usualTimeout = growth.idleMicroseconds
    var intervals: [Int] = []

    for _ in 0..<14 {
      var ticks = 0
      while growth.tick(busyThreads: 0) == .addThreads(0) { ticks += 1 }
      intervals.append(ticks)
      growth.failedToCreateThreads(missing: 2)
    }

    #expect(intervals == [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 2_048])
    #expect(growth.threadCount == 2)
    #expect(growth.isScarce)
    #expect(growth.idleMicroseconds < usualTimeout / 100)
  }

  @Test("Where all threads asked for are created they are not scarce any more")
  func plenty() {
    var growth = Self.busy(base: 2, maximum: 100, backlog: 9)
    let usualTimeout = growth.idleMicroseconds
    growth.failedToCreateThreads(missing: 0)

    growth.createdThreads()

    #expect(!growth.isScarce)
    #expect(growth.idleMicroseconds == usualTimeout)
    #expect(growth.tick(busyThreads: 0) == .addThreads(2))
  }
}
