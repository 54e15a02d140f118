import StructuredOperations
import TestSupport
import Testing

// What is explained while an end is under way.
extension ExplanationTests {
  @Test(
    "While an observer is told of an end, the operation is the root cause of what waits for that",
    arguments: [true, false])
  func observedEnd(isInQueue: Bool) async throws {
    let (told, goOn) = (Gate(), Gate())
    // The observer blocks a thread of these, and none that other tests need, nor the only one that the queue's actor runs on.
    let executor = LabelledExecutor("ending", isConcurrent: true)
    let other = LabelledExecutor("waiting", isConcurrent: true)
    let observer = EventRecorder { event in
      guard event.kind == .finished else { return }
      told.open()
      goOn.waitBlocking()
    }
    let limit = ConcurrencyLimit(1, name: "connections")
    let ending = AsyncOperation(name: "ending", observer: observer) {}
    try await ending.addLimit(limit)
    let (dependent, next) = (AsyncOperation(name: "dependent") {}, AsyncOperation(name: "next") {})
    try await dependent.addDependency(ending)
    let queue = AsyncOperationQueue(
      name: "disk", maxConcurrentOperationCount: 1, executor: executor, isSuspended: true)
    let others = AsyncOperationQueue(name: "others", executor: other)
    if isInQueue { await queue.add(ending, next) }
    // All that comes before the body has been told here by now, so that the executor tells the end.
    await queue.resume()
    async let started: Void? = isInQueue ? nil : Task(executorPreference: executor) { try await ending.start() }.value
    await told.wait()
    await others.add(dependent)
    let limited = await others.add(name: "limited", limits: [limit]) {}
    let waiting = await others.add(name: "waiting") { await ending.waitUntilFinished() }
    #expect(await eventually { waiting.isExecuting })

    #expect(ending.isFinished)
    let end = "\"ending\" has finished, and its observers are being told."
    #expect(await ending.explanation.description == end)
    #expect(await dependent.explanation.description == "\"dependent\" waits for \"ending\"; \(end)")
    #expect(
      await eventually {
        await waiting.explanation.description
          == "\"waiting\" is executing, and waits, with its slot lent, for \"ending\"; \(end)"
      })
    #expect(
      await limited.explanation.description
        == "\"limited\" waits for the concurrency limit \"connections\", which \"ending\" has; \(end)")
    for operation in [dependent, waiting, limited] {
      #expect(await operation.explanation.rootCauses.map { $0 === ending } == [true])
    }
    if isInQueue {
      #expect(
        await next.explanation.description == """
          "next" is number 1 in line for a slot of the queue "disk", whose only slot "ending" has; \(end)
          """)
      #expect(await queue.explanation.map(\.operation.name) == ["ending", "next"])
    }
    goOn.open()
    _ = try await started
    for queue in [queue, others] { await queue.waitUntilAllOperationsAreFinished() }
    #expect(await ending.explanation.reasons.isEmpty)
    #expect(await ending.explanation.description == "\"ending\" has finished.")
  }

  @Test("A scope that waits for completion blocks alone says whose they are")
  func completionBlocks() async {
    let (queue, release) = (AsyncOperationQueue(), Gate())
    let begun = Gate()
    let owner = await queue.add(name: "owner") {
      try await withOperationQueue(name: "inner") { inner in
        let operation = AsyncOperation(name: "upload") {}
        await operation.setCompletionBlock {
          begun.open()
          await release.wait()
        }
        await inner.add(operation)
      }
    }
    await begun.wait()
    let sentence = """
      "owner" is executing, and waits, with its slot lent, for everything in the queue "inner", where the completion \
      block of "upload" has not ended.
      """
    #expect(await eventually { await owner.explanation.description == sentence })
    #expect(await queue.explanation.description.contains(sentence))
    release.open()
    await owner.waitUntilFinished()
  }

  @Test("A name with line breaks takes one line")
  func lines() async {
    let queue = AsyncOperationQueue(name: "two\nlines", isSuspended: true)
    await queue.add(name: "a\r\nb\u{2028}c") {}
    let text = await queue.explanation.description
    #expect(text.split(whereSeparator: \.isNewline).count == 2)
    #expect(text.contains("\"a␍␊b␤c\" is in the queue \"two␊lines\""))
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
  }
}
