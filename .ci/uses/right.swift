// Right uses, in every context that chooses between the forms with and without `await`. None of them gets a diagnostic.

import StructuredOperations

nonisolated let number = AsyncOperation { 1 }
nonisolated let text = AsyncOperation { "2" }
nonisolated let nothing = AsyncOperation {}
nonisolated let queue = AsyncOperationQueue()

@concurrent func fetch() async throws -> Int { 1 }

// MARK: Synchronous contexts

func synchronousFunction() {
  queue.add(number)
  queue.add(number, text)
  queue.add([number, text])
  queue.add { 1 }
  queue.add { try await fetch() }
  queue.addOnMainActor { 1 }
  queue.addOnMainActor { try await fetch() }
  queue.addBarrier {}
  queue.addBarrier { await Task.yield() }
  initialisers()
}

nonisolated func initialisers() {
  _ = AsyncOperation(after: number) { $0 }
  _ = AsyncOperation(after: number, text) { number, text in number + text.count }
  _ = AsyncOperation(after: number, text) { number, text in try await fetch() + number + text.count }
  _ = AsyncOperation(after: nothing) { 1 }
  _ = AsyncOperation(after: nothing) { try await fetch() }
  _ = AsyncOperation(after: nothing) { _ in 1 }
  _ = AsyncOperation(after: nothing) {}
  _ = AsyncOperation(after: [number, number]) { numbers in numbers.reduce(0, +) }
  _ = AsyncOperation(after: [number, number]) { numbers in try await fetch() + numbers.count }
  _ = AsyncOperation<Int>(after: number) { number, completion in completion.finish(returning: number) }
  _ = AsyncOperation<Int>(after: number, callback: { $1.finish(returning: $0) })
  _ = AsyncOperation(afterOutcomesOf: number) { outcome in
    switch outcome {
    case .success(let number): return number
    case .failure, .cancelled: return -1
    }
  }
  _ = AsyncOperation(afterOutcomesOf: number, text) { number, text in
    if case .success(let number) = number, case .success = text { return number }
    return try await fetch()
  }
  _ = AsyncOperation(afterOutcomesOf: [number, number]) { outcomes in outcomes.count }
  _ = AsyncOperation.onMainActor { 1 }
  _ = AsyncOperation.onMainActor(name: "show", queuePriority: .high) { try await fetch() }
  let show: AsyncOperation<Void> = .onMainActor {}
  _ = show
}

/// A body that computes, in a module whose types may belong to the main actor.
struct Counting: SynchronousOperationBody {
  let count: Int

  func main() throws -> Int { count }
}

struct Fetching: AsynchronousOperationBody {
  func start() async throws -> Int { try await fetch() }
}

func bodiesOfTypes() {
  queue.add(AsyncOperation(Counting(count: 1)), AsyncOperation(Fetching()))
}

func linking() throws {
  let last: any OperationProtocol = nothing
  if try number.addDependency(text) { try last.addDependencies(number, text) }
  try last.addDependencies([number], requiring: .success)
  number.removeDependency(text)
  number.setQueuePriority(.high)
  number.setCompletionBlock {}
  number.setCompletionBlock { outcome in _ = outcome }
  number.setCompletionBlock { _ in await Task.yield() }
  number.setCompletionBlock(nil)
  _ = last.dependencies.count
  let link: @Sendable () throws -> Void = { try text.addDependency(number) }
  try link()
}

func asynchronousLinking() async throws {
  let last: any OperationProtocol = nothing
  if try await number.addDependency(text) { try await last.addDependencies(number, text) }
  try await last.addDependencies([number], requiring: .success)
  await number.removeDependency(text)
  await number.setQueuePriority(.high)
  await number.setCompletionBlock {}
  await number.setCompletionBlock { outcome in _ = outcome }
  await number.setCompletionBlock(nil)
  _ = last.dependencies.count
  try [number].forEach { try $0.addDependency(text) }
}

func barriersAndScopes() async throws {
  let barrier: AsyncOperation<Int> = await queue.addBarrier(name: "write") { try await fetch() }
  _ = try await barrier.value
  _ = try await queue.runBarrier { try await fetch() }
  try await withOperationQueue(onFailure: .cancelAll) { queue in _ = queue.snapshot.failedCount }
  await queue.add { try await withLentSlot { try await fetch() } }
  queue.close()
}

func limits() async throws {
  let limit = ConcurrencyLimit(2, name: "connections")
  try await number.addLimit(limit)
  if try await text.addLimit(limit, cost: 2) { limit.setCount(limit.available + 1) }
  await queue.add(limits: [limit]) { 1 }
  await queue.add(name: "page", limits: [limit, limit]) { try await fetch() }
  await queue.add(after: number, limits: [limit]) { number in number }
  await queue.add(after: [number], limits: [limit]) { numbers in numbers.count }
  await queue.addBarrier(limits: [limit]) { 1 }
  await queue.addOnMainActor(limits: [limit]) { 1 }
  _ = try await queue.run(limits: [limit]) { try await fetch() }
  _ = try await queue.runBarrier(limits: [limit]) { try await fetch() }
}

func synchronousLimits() throws {
  let limit = ConcurrencyLimit(2)
  try number.addLimit(limit)
  queue.add(limits: [limit]) { 1 }
  queue.add(limits: [limit]) { try await fetch() }
  queue.addBarrier(limits: [limit]) {}
  queue.addOnMainActor(limits: [limit]) {}
}

func rates() async throws {
  let paced = AsyncOperationQueue(startRate: OperationStartRate(20, per: .seconds(1)), clock: SuspendingClock())
  await paced.setStartRate(nil)
  await paced.suspend(for: .seconds(30))
  try await withOperationQueue(startRate: OperationStartRate(1, per: .milliseconds(50))) { queue in
    await queue.add { 1 }
  }
}

func time() async throws {
  var count = 0
  _ = try await withOperationTimeout(.seconds(5)) { try await fetch() }
  try await withOperationTimeout(.seconds(5), clock: SuspendingClock()) { count += 1 }
  let policy: OperationRetryPolicy = .exponential(from: .seconds(1), upTo: .seconds(9), attempts: 5, jitter: 0.5)
  _ = try await withOperationRetry(policy) { try await fetch() }
  _ = try await withOperationRetry(.immediate(attempts: 2), clock: SuspendingClock()) { attempt in
    try await fetch() + attempt
  }
  try await withOperationRetry(.constant(.seconds(1), attempts: 2), while: { $0 is OperationError }) { count += 1 }
  try await withOperationRetry(.immediate(attempts: 2)) { _ in
    try await withOperationTimeout(.seconds(5)) { throw CancellationError() }
  }
  await queue.add { try await withOperationTimeout(.seconds(5)) { try await number.value } }
}

nonisolated struct Value {
  func synchronousMethod() {
    queue.add { 1 }
    queue.addOnMainActor { 1 }
    queue.addBarrier {}
  }
}

func closuresWithoutAwait() {
  let add: @Sendable () -> Void = {
    queue.add { 1 }
    queue.addOnMainActor { 1 }
    queue.addBarrier {}
  }
  add()
  [1, 2].forEach { number in queue.add { number } }
  Task {
    queue.add(number)
    queue.add { 1 }
    queue.addOnMainActor { 1 }
    queue.addBarrier {}
  }
}

// MARK: Asynchronous contexts

func asynchronousFunction() async throws {
  await queue.add(number)
  await queue.add(number, text)
  await queue.add([number, text])
  await queue.add { 1 }
  await queue.add { try await fetch() }
  await queue.add(after: number) { $0 + 1 }
  await queue.add(after: number, text) { number, text in number + text.count }
  await queue.add(after: number, text) { number, text in try await fetch() + number + text.count }
  await queue.add(after: nothing) { _ in 1 }
  await queue.add(after: [number, number]) { numbers in numbers.reduce(0, +) }
  await queue.add(after: [number, number]) { numbers in try await fetch() + numbers.count }
  await queue.addOnMainActor { 1 }
  await queue.addOnMainActor { try await fetch() }
  await queue.addBarrier {}
  await queue.addBarrier { await Task.yield() }
  let one = try await OperationThreadPool.shared.run { 1 }
  try await OperationThreadPool.shared.run {}
  _ = one
  initialisers()
}

func closuresWithAwait() async throws {
  Task {
    await queue.add(number)
    await queue.add { 1 }
    await queue.add(after: number) { $0 }
    await queue.addOnMainActor { 1 }
    await queue.addBarrier {}
    _ = try await OperationThreadPool.shared.run { 1 }
  }
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { await queue.add { 1 } }
    group.addTask { try await OperationThreadPool.shared.run {} }
    try await group.waitForAll()
  }
  await queue.add {
    await queue.add(after: number) { $0 }
    await queue.addOnMainActor { 1 }
  }
}

func nested() async throws {
  let argument = await queue.add(
    after: await queue.add(after: await queue.add(after: number) { $0 + 1 }, text) { $0 + $1.count },
    await queue.add(after: number) { $0 + 1 }
  ) { $0 * 2 + $1 * 3 }
  let array = await queue.add(after: await queue.add(after: [await queue.add(after: number) { $0 }]) { $0.count }) {
    $0 + 1
  }
  let inside = await queue.add(after: number) { number in
    await queue.add(after: text) { text in
      await queue.add(after: nothing) { _ in number + text.count }
    }
  }
  let many = AsyncOperation(after: number, number, number, number, number, number) { a, b, c, d, e, f in
    let one = a * 2 + b * 3 + c * 5
    let other = d * 7 + e * 11 + f * 13
    if one > other { return Double(one) / Double(other) }
    return Double(other) / Double(one)
  }
  _ = (argument, array, inside, many)
}

// MARK: Actors

actor Worker {
  var count = 0

  func synchronousMethod() {
    queue.add { 1 }
    queue.addOnMainActor { 1 }
    queue.addBarrier {}
    queue.add { await self.increment() }
  }

  func asynchronousMethod() async throws {
    await queue.add { 1 }
    await queue.add(after: number) { number in await self.add(number) }
    await queue.addOnMainActor { await self.increment() }
    await queue.addBarrier { await self.increment() }
    count += try await OperationThreadPool.shared.run { 1 }
  }

  nonisolated func nonisolatedMethod() {
    queue.add { await self.increment() }
    queue.addOnMainActor { await self.increment() }
  }

  func increment() { count += 1 }
  func add(_ number: Int) { count += number }
}

@MainActor
final class Model {
  final class Page {
    var title = ""
  }

  var page = Page()
  var lines: [String] = []

  func synchronousMethod() {
    queue.add { 1 }
    queue.addOnMainActor { self.lines.append("added") }
    queue.addOnMainActor { self.page.title = "added" }
    queue.addOnMainActor {
      let number = try await OperationThreadPool.shared.run { 1 }
      self.lines.append("\(number)")
    }
    queue.addBarrier { await self.show() }
    _ = AsyncOperation.onMainActor { self.lines.count }
    _ = AsyncOperation(after: number) { number in await self.show() }
    _ = AsyncOperation(afterOutcomesOf: number) { outcome in await self.show() }
  }

  func asynchronousMethod() async throws {
    await queue.add { 1 }
    await queue.addOnMainActor { self.lines.append("added") }
    await queue.addBarrier { await self.show() }
    await queue.add(after: number) { number in await self.show() }
    let lines = lines
    self.lines = try await OperationThreadPool.shared.run { lines.sorted() }
  }

  func show() {}
}
