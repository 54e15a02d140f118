/// Lends the slot of the calling body to other operations while a closure runs, whatever that awaits.
///
/// ```swift
/// let body = await queue.add {
///   let request = makeRequest()
///   let data = try await withLentSlot {
///     try await session.data(for: request)
///   }
///   return decode(data)
/// }
/// ```
///
/// Its limits are lent, too: see ``ConcurrencyLimit``. A body that awaits an operation or a queue lends by itself. This is
/// for anything else: a request, an actor, a stream. The operation goes on executing, so barriers wait for it. On return its
/// body has a slot again, ahead of all that has not begun, also in a suspended queue; until there is one the function
/// suspends, after an error and after a cancellation, too. Waits for operations and queues inside the closure lend nothing
/// more, and those that could never end are found as anywhere in the body.
/// ``AsyncOperationQueue/run(name:queuePriority:limits:file:line:_:)`` inside of it takes a slot of its queue alone.
///
/// The closure runs in the calling task, on the caller's actor. Outside of bodies, in a child task of a body, in a body that
/// was started without a queue and has no limits, and inside another such closure it just runs.
///
/// - Parameter body: The closure.
/// - Returns: The result of the closure.
/// - Throws: The error of the closure.
public nonisolated(nonsending) func withLentSlot<Result>(
  _ body: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
  guard let context = ExecutionContext.ofOwnTask else { return try await body() }
  let wait = BodyWait(of: context, for: .closure)
  if wait.slotOwner == nil { return try await body() }
  await wait.releaseSlot()
  do {
    let result = try await asLender(context.operation, on: #isolation, body)
    await wait.endClosure()
    return result
  } catch {
    await wait.endClosure()
    throw error
  }
}

/// Runs a closure, on `isolation`, also one that has no isolation of its own.
private func asLender<Result>(
  _ operation: any OperationProtocol,
  on isolation: isolated (any Actor)?,
  _ body: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
  try await ExecutionContext.$lender.withValue(operation) {
    // Captured, so that this closure runs there, too, and hands it on.
    _ = isolation
    return try await body()
  }
}

extension BodyWait {
  /// The closure has ended: suspends until the body has its slot.
  fileprivate nonisolated(nonsending) func endClosure() async {
    if end(.done) { resumeWithSlot() }
    _ = await untilResumed()
  }
}
