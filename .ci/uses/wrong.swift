// Wrong uses, each on a line of its own, with a part of what the compiler has to say about it. It says nothing else.

import StructuredOperations

let number = AsyncOperation { 1 }
let text = AsyncOperation { "2" }
let nothing = AsyncOperation {}
let untyped: any OperationProtocol = number
let queue = AsyncOperationQueue()

func fetch() async throws -> Int { 1 }

final class Counter {
  var count = 0
}

// MARK: Forgotten parameters

func forgottenParameters() async throws {
  _ = AsyncOperation(after: number) { 1 }  // error: the closure takes the outputs of the operations it comes after: { output in … }
  _ = AsyncOperation(after: number, text) { 1 }  // error: the closure takes the outputs of the operations it comes after: { output in … }
  _ = AsyncOperation(after: number, text) { try await fetch() }  // error: the closure takes the outputs of the operations it comes after: { output in … }
  _ = AsyncOperation(after: nothing, nothing) { 1 }  // error: the closure takes the outputs of the operations it comes after: { output in … }
  _ = AsyncOperation(after: [number]) { 1 }  // error: expects 1 argument, which cannot be implicitly ignored
  _ = AsyncOperation(afterOutcomesOf: number) { 1 }  // error: the closure takes the outcomes of the operations it comes after: { outcome in … }
  _ = AsyncOperation(afterOutcomesOf: number, text) { try await fetch() }  // error: the closure takes the outcomes of the operations it comes after: { outcome in … }
  _ = AsyncOperation(afterOutcomesOf: nothing) { 1 }  // error: the closure takes the outcomes of the operations it comes after: { outcome in … }
  _ = AsyncOperation(afterOutcomesOf: [number]) { 1 }  // error: expects 1 argument, which cannot be implicitly ignored
  await queue.add(after: number) { 1 }  // error: the closure takes the outputs of the operations it comes after: { output in … }
  await queue.add(after: number, text) { try await fetch() }  // error: the closure takes the outputs of the operations it comes after: { output in … }
  await queue.add(after: nothing) { 1 }  // error: the closure takes the outputs of the operations it comes after: { output in … }
  await queue.add(after: [number]) { 1 }  // error: expects 1 argument, which cannot be implicitly ignored
}

// MARK: Parameters that do not fit

// Of parameter packs the compiler says no more than this.
func numberOfParameters() async throws {
  _ = AsyncOperation(after: number, text) { a in 1 }  // error: pack expansion requires that 'String' and '' have the same shape
  _ = AsyncOperation(after: number, text) { a, b, c in 1 }  // error: pack expansion requires that 'String' and '_, _' have the same shape
  _ = AsyncOperation(afterOutcomesOf: number, text) { a in 1 }  // error: pack expansion requires that 'String' and '' have the same shape
  await queue.add(after: number, text) { a in 1 }  // error: pack expansion requires that 'String' and '' have the same shape
  _ = AsyncOperation(after: [number, number]) { a, b in 1 }  // error: expects 1 argument, but 2 were used in closure body
  _ = AsyncOperation<Int>(after: number, callback: { completion in })  // error: expects 2 arguments, but 1 was used in closure body
}

func types() async throws {
  _ = AsyncOperation(after: number, text) { a, b in a + b }  // error: cannot be applied to operands of type 'Int' and 'String'
  _ = AsyncOperation(after: [number, text]) { all in 1 }  // error: cannot convert value of type 'AsyncOperation<String>' to expected element type 'AsyncOperation<Int>'
  _ = AsyncOperation(after: untyped) { a in 1 }  // error: no exact matches in call to initializer
  _ = AsyncOperation(afterOutcomesOf: number) { outcome in outcome + 1 }  // error: cannot convert value of type 'OperationOutcome<Int>' to expected argument type 'Int'
  let operation: AsyncOperation<String> = .onMainActor { 1 }  // error: cannot convert value of type 'Int' to closure result type 'String'
  _ = AsyncOperation<String> { 1 }  // error: cannot convert value of type 'Int' to closure result type 'String'
  _ = operation
}

// MARK: Time

func time() async throws {
  _ = try withOperationTimeout(.seconds(5)) { 1 }  // error: expression is 'async' but is not marked with 'await'
  _ = try withOperationRetry(.immediate(attempts: 2)) { 1 }  // error: expression is 'async' but is not marked with 'await'
  _ = try await withOperationTimeout(5) { 1 }  // error: cannot convert value of type 'Int' to expected argument type 'Duration'
  _ = try await withOperationRetry(.immediate()) { 1 }  // error: missing argument for parameter 'attempts' in call
  _ = try await withOperationRetry(.exponential(from: .seconds(1), attempts: 2)) { 1 }  // error: missing argument for parameter 'upTo' in call
  _ = try await withOperationRetry(.immediate(attempts: 2)) { a, b in 1 }  // error: expects 1 argument, but 2 were used in closure body
}

// MARK: Forgotten await

func forgottenAwait() async throws {
  queue.add { 1 }  // error: expression is 'async' but is not marked with 'await'
  queue.add(number)  // error: expression is 'async' but is not marked with 'await'
  queue.add(number, text)  // error: expression is 'async' but is not marked with 'await'
  queue.add([number])  // error: expression is 'async' but is not marked with 'await'
  queue.add(after: number) { $0 }  // error: expression is 'async' but is not marked with 'await'
  queue.add(after: [number]) { $0 }  // error: expression is 'async' but is not marked with 'await'
  queue.addOnMainActor { 1 }  // error: expression is 'async' but is not marked with 'await'
  queue.addBarrier {}  // error: expression is 'async' but is not marked with 'await'
  try number.addDependency(text)  // error: expression is 'async' but is not marked with 'await'
  try number.addDependencies([text, nothing])  // error: expression is 'async' but is not marked with 'await'
  number.removeDependency(text)  // error: expression is 'async' but is not marked with 'await'
  number.setQueuePriority(.high)  // error: expression is 'async' but is not marked with 'await'
  number.setCompletionBlock {}  // error: expression is 'async' but is not marked with 'await'
  number.setCompletionBlock { outcome in _ = outcome }  // error: expression is 'async' but is not marked with 'await'
  try number.addLimit(ConcurrencyLimit(1))  // error: expression is 'async' but is not marked with 'await'
  await number.addLimit(ConcurrencyLimit(1))  // error: call can throw but is not marked with 'try'
  await queue.add(limits: ConcurrencyLimit(1)) { 1 }  // error: cannot convert value of type 'ConcurrencyLimit' to expected argument type '[ConcurrencyLimit]'
  queue.suspend(for: .seconds(1))  // error: actor-isolated instance method 'suspend(for:)' cannot be called from outside of the actor
  _ = try queue.runBarrier { 1 }  // error: expression is 'async' but is not marked with 'await'
  _ = try OperationThreadPool.shared.run { 1 }  // error: expression is 'async' but is not marked with 'await'
  _ = await OperationThreadPool.shared.run { 1 }  // error: call can throw but is not marked with 'try'
}

func synchronousCode() {
  queue.add(after: number) { $0 }  // error: 'async' call in a function that does not support concurrency
  _ = try? withOperationTimeout(.seconds(5)) { 1 }  // error: 'async' call in a function that does not support concurrency
  _ = try? OperationThreadPool.shared.run { 1 }  // error: 'async' call in a function that does not support concurrency
}

// MARK: What is not Sendable

func captures() async throws {
  let counter = Counter()
  _ = AsyncOperation { counter.count += 1 }  // error: capture of 'counter' with non-Sendable type 'Counter' in a '@Sendable' closure
  _ = AsyncOperation(after: number) { counter.count += $0 }  // error: capture of 'counter' with non-Sendable type 'Counter' in a '@Sendable' closure
  _ = AsyncOperation(afterOutcomesOf: number) { _ in counter.count += 1 }  // error: capture of 'counter' with non-Sendable type 'Counter' in a '@Sendable' closure
  await queue.add { counter.count += 1 }  // error: capture of 'counter' with non-Sendable type 'Counter' in a '@Sendable' closure
  await queue.add(after: [number]) { _ in counter.count += 1 }  // error: capture of 'counter' with non-Sendable type 'Counter' in a '@Sendable' closure
  await queue.addBarrier { counter.count += 1 }  // error: capture of 'counter' with non-Sendable type 'Counter' in a '@Sendable' closure
  try await OperationThreadPool.shared.run { counter.count += 1 }  // error: capture of 'counter' with non-Sendable type 'Counter' in a '@Sendable' closure
  var sum = 0
  await queue.add { sum += 1 }  // error: mutation of captured var 'sum' in concurrently-executing code
  try await OperationThreadPool.shared.run { sum += 1 }  // error: mutation of captured var 'sum' in concurrently-executing code
}

func outputs() async throws {
  _ = AsyncOperation { Counter() }  // error: type 'Counter' does not conform to the 'Sendable' protocol
  _ = AsyncOperation.onMainActor { Counter() }  // error: type 'Counter' does not conform to the 'Sendable' protocol
  await queue.add { Counter() }  // error: type 'Counter' does not conform to the 'Sendable' protocol
  await queue.addOnMainActor { Counter() }  // error: type 'Counter' does not conform to the 'Sendable' protocol
  _ = try await OperationThreadPool.shared.run { Counter() }  // error: type 'Counter' does not conform to the 'Sendable' protocol
}
