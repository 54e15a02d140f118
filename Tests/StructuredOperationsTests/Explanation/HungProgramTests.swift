import StructuredOperations
import TestSupport
import Testing

import class StructuredOperationsTesting.VirtualClock

/// Programs that hang, each by another fault, and the sentence from which a stranger finds the fault.
@Suite("A hung program says where its fault is", .hangGuard)
struct HungProgramTests {
  @Test("A forgotten add, four steps away")
  func forgottenAdd() async throws {
    let queue = AsyncOperationQueue(name: "build")
    let fetch = AsyncOperation(name: "fetch headers") {}
    var previous: any OperationProtocol = fetch
    var operations: [any OperationProtocol] = []
    for name in ["unpack", "configure", "compile", "link"] {
      let operation = AsyncOperation(name: name) {}
      try await operation.addDependency(previous)
      operations.append(operation)
      previous = operation
    }
    await queue.add(operations)

    #expect(
      await previous.explanation.description == """
        "link" waits for "compile", which waits, through 2 more, for "fetch headers"; "fetch headers" is in no queue and \
        has not been started.
        """)
    #expect(
      await operations[1].explanation.description == """
        "configure" waits for "unpack", which waits for "fetch headers"; "fetch headers" is in no queue and has not been \
        started.
        """)

    await queue.add(fetch)
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("A body that forgets its completion, in a queue of one slot")
  func forgottenCompletion() async throws {
    let kept = Locked<OperationCompletion<Void>?>(nil)
    let queue = AsyncOperationQueue(name: "disk", maxConcurrentOperationCount: 1)
    let save = AsyncOperation<Void>(name: "save document") { completion in kept.withLock { $0 = completion } }
    await queue.add(save)
    let first = await queue.add(name: "thumbnail 1") {}
    let second = await queue.add(name: "thumbnail 2") {}
    #expect(await eventually { await save.explanation.reasons.count == 2 })

    #expect(
      await second.explanation.description == """
        "thumbnail 2" is number 2 in line for a slot of the queue "disk", whose only slot "save document" has; \
        "save document" is executing, and waits for its completion to be called.
        """)

    kept.withLock { $0 }?.finish()
    await first.waitUntilFinished()
    await second.waitUntilFinished()
  }

  @Test("A suspended queue elsewhere")
  func suspendedElsewhere() async throws {
    let (network, pages) = (AsyncOperationQueue(name: "network", isSuspended: true), AsyncOperationQueue(name: "pages"))
    let login = await network.add(name: "login") {}
    let page = AsyncOperation(name: "page") {}
    try await page.addDependency(login)
    await pages.add(page)

    #expect(
      await page.explanation.description
        == "\"page\" waits for \"login\"; \"login\" is in the queue \"network\", which is suspended.")

    await network.resume()
    await page.waitUntilFinished()
  }

  @Test("A limit of 0")
  func limitOfZero() async throws {
    let queue = AsyncOperationQueue(name: "images", maxConcurrentOperationCount: 0)
    let draw = await queue.add(name: "draw") {}

    #expect(await draw.explanation.description == "\"draw\" is in the queue \"images\", whose limit is 0.")

    try await queue.setMaxConcurrentOperationCount(1)
    await draw.waitUntilFinished()
  }

  @Test("A queue of one slot, whose holder waits for something that the library does not know")
  func holderAtGate() async throws {
    let queue = AsyncOperationQueue(name: "disk", maxConcurrentOperationCount: 1)
    let blocker = Blocker(name: "indexer")
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    let save = await queue.add(name: "save") {}

    #expect(
      await save.explanation.description == """
        "save" is number 1 in line for a slot of the queue "disk", whose only slot "indexer" has; "indexer" is executing: \
        its body has not returned.
        """)

    blocker.release.open()
    await save.waitUntilFinished()
  }

  @Test("A body whose child task waits for one that waits for the body's slot")
  func slotOfParent() async throws {
    let queue = AsyncOperationQueue(name: "disk", maxConcurrentOperationCount: 1)
    let part = AsyncOperation(name: "part") {}
    let copy = AsyncOperation(name: "copy") {
      async let end: Void = part.waitUntilFinished()
      await end
    }
    await queue.add(copy, part)
    #expect(await eventually { await copy.explanation.rootCauses.map(\.name) == ["part"] })

    #expect(
      await part.explanation.description == """
        "part" and "copy" wait for each other: "part" is number 1 in line for a slot of the queue "disk", whose only slot \
        "copy" has; "copy" is executing, and waits, without lending a slot, for "part".
        """)

    try await queue.setMaxConcurrentOperationCount(2)
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("A barrier that a hung body holds up")
  func barrier() async throws {
    let queue = AsyncOperationQueue(name: "database")
    let blocker = Blocker(name: "export")
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    await queue.addBarrier(name: "migration") {}
    let query = await queue.add(name: "query") {}

    #expect(
      await query.explanation.description == """
        "query" is behind the barrier "migration", which waits, as a barrier, for "export"; "export" \
        is executing: its body has not returned.
        """)

    blocker.release.open()
    await query.waitUntilFinished()
  }

  @Test("Two bodies whose child tasks wait for each other")
  func childTasks() async throws {
    let queue = AsyncOperationQueue(name: "sync")
    let partner = Locked<AsyncOperation<Void>?>(nil)
    let upload = AsyncOperation(name: "upload") {
      async let other: Void? = try partner.current?.value
      _ = try await other
    }
    let download = AsyncOperation(name: "download") {
      async let other: Void = upload.waitUntilFinished()
      await other
    }
    partner.withLock { $0 = download }
    await queue.add(upload, download)
    #expect(
      await eventually {
        let counts = await (upload.explanation.reasons.count, download.explanation.reasons.count)
        return counts == (2, 2)
      })

    let explanation = await upload.explanation
    #expect(
      explanation.description == """
        "upload" and "download" wait for each other: "upload" is executing, and waits, without lending a slot, for \
        "download"; "download" is executing, and waits, without lending a slot, for "upload".
        """)
    #expect(explanation.rootCauses.map(\.name) == ["download"])
    let report = AsyncOperation(name: "report") {}
    try await report.addDependency(download)
    await queue.add(report)
    #expect(
      await report.explanation.description.hasPrefix(
        "\"report\" waits for \"download\"; \"download\" and \"upload\" wait for each other: "))

    upload.cancel()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("A scope that waits for a body that waits for whoever has opened the scope")
  func scope() async throws {
    let begun = Gate()
    let queue = AsyncOperationQueue(name: "outer")
    let opener = AsyncOperation(name: "opener") {
      guard let own = AsyncOperation.current else { return }
      try await withOperationQueue(name: "inner") { queue in
        await queue.add(name: "inside") {
          async let end: Void? = try (own as? AsyncOperation<Void>)?.value
          begun.open()
          _ = try await end
        }
      }
    }
    await queue.add(opener)
    await begun.wait()
    // The child task may not have begun to wait.
    #expect(
      await eventually {
        await opener.explanation.description == """
          "opener" and "inside" wait for each other: "opener" is executing, and waits, with its slot lent, for everything in \
          the queue "inner", where "inside" is left; "inside" is executing, and waits, without lending a slot, for "opener".
          """
      })
    #expect(await opener.explanation.rootCauses.map(\.name) == ["inside"])

    await queue.cancelAllOperations()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("A concurrency limit whose holder hangs, in another queue")
  func concurrencyLimit() async throws {
    let connections = ConcurrencyLimit(1, name: "connections")
    let (images, pages) = (AsyncOperationQueue(name: "images"), AsyncOperationQueue(name: "pages"))
    let blocker = Blocker(name: "stream")
    try await blocker.operation.addLimit(connections)
    await images.add(blocker.operation)
    await blocker.begun.wait()
    let page = await pages.add(name: "page", limits: [connections]) {}
    let byHand = AsyncOperation(name: "by hand") {}
    try await byHand.addLimit(connections)
    async let run: Void = byHand.start()
    #expect(await eventually { await byHand.explanation.rootCauses.map(\.name) == ["stream"] })

    for name in ["page", "by hand"] {
      let operation = name == "page" ? page as any OperationProtocol : byHand
      #expect(
        await operation.explanation.description == """
          "\(name)" waits for the concurrency limit "connections", which "stream" has; "stream" is executing: its body has \
          not returned.
          """)
    }

    blocker.release.open()
    await page.waitUntilFinished()
    try await run
  }

  @Test("A start rate of a long period")
  func startRate() async throws {
    let clock = VirtualClock()
    let queue = AsyncOperationQueue(name: "mail", startRate: OperationStartRate(1, per: .seconds(3_600)), clock: clock)
    let first = await queue.add(name: "first") {}
    await first.waitUntilFinished()
    clock.advance(by: .seconds(600))
    let second = await queue.add(name: "second") {}

    #expect(
      await second.explanation.description
        == "\"second\" waits for the start rate of the queue \"mail\", which lets nothing begin for another 50 min.")

    await queue.setStartRate(nil)
    await second.waitUntilFinished()
  }

  @Test("A start rate and a suspension that end in less than a millisecond")
  func almostOver() async throws {
    let clock = VirtualClock()
    let rated = AsyncOperationQueue(name: "mail", startRate: OperationStartRate(1, per: .seconds(1)), clock: clock)
    let suspended = AsyncOperationQueue(name: "news", clock: clock)
    await rated.addAndWait([AsyncOperation {}])
    await suspended.suspend(for: .seconds(1))
    clock.advance(by: .microseconds(999_999))
    let operations = [await rated.add(name: "one") {}, await suspended.add(name: "other") {}]

    for operation in operations { #expect(await operation.explanation.description.hasSuffix("for another 1 ms.")) }

    clock.advance(by: .milliseconds(1))
    for operation in operations { await operation.waitUntilFinished() }
  }

  /// Its milliseconds are more than an `Int64` holds.
  @Test("A start rate of a period longer than any run")
  func endlessStartRate() async throws {
    let queue = AsyncOperationQueue(
      name: "mail", startRate: OperationStartRate(1, per: .seconds(60_000_000_000_000_000)), clock: VirtualClock())
    let first = await queue.add(name: "first") {}
    await first.waitUntilFinished()
    let second = await queue.add(name: "second") {}

    #expect(
      await second.explanation.description.hasSuffix("lets nothing begin for another 1000000000000000 min."))

    await queue.setStartRate(nil)
    await second.waitUntilFinished()
  }

  @Test("A wait for everything in another queue, which is suspended")
  func wholeQueue() async throws {
    let (reports, tables) = (
      AsyncOperationQueue(name: "reports"), AsyncOperationQueue(name: "tables", isSuspended: true)
    )
    await tables.add(name: "table") {}
    let report = await reports.add(name: "report") { await tables.waitUntilAllOperationsAreFinished() }
    #expect(await eventually { await report.explanation.reasons.count == 2 })

    #expect(
      await report.explanation.description == """
        "report" is executing, and waits, with its slot lent, for everything in the queue "tables", where "table" is left; "table" \
        is in the queue "tables", which is suspended.
        """)

    await tables.resume()
    await report.waitUntilFinished()
  }

  @Test("An executor that runs nothing")
  func executor() async throws {
    let executor = HeldExecutor()
    let queue = AsyncOperationQueue(name: "rendering")
    let frame = AsyncOperation(name: "frame", executor: executor) {}
    await queue.add(frame)
    #expect(await eventually { executor.hasJobs })

    #expect(
      await frame.explanation.description
        == "\"frame\" has been chosen to run, and its executor has not begun with it.")

    executor.release()
    await frame.waitUntilFinished()
  }
}

/// Keeps the jobs that it is given until it is let go.
private final class HeldExecutor: TaskExecutor {
  private let state = Locked((jobs: [UnownedJob](), isReleased: false))

  var hasJobs: Bool { state.withLock { !$0.jobs.isEmpty } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isReleased = state.withLock { state in
      if !state.isReleased { state.jobs.append(job) }
      return state.isReleased
    }
    if isReleased { run(job) }
  }

  func release() {
    let jobs = state.withLock { state in
      state.isReleased = true
      defer { state.jobs = [] }
      return state.jobs
    }
    for job in jobs { run(job) }
  }

  private func run(_ job: UnownedJob) {
    Task.detached { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
