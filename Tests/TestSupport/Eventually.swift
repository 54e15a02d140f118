/// Suspends until a condition holds that cannot be awaited, such as the `deinit` of an object.
///
/// The time alone does not say that a condition will not hold: where thousands of tests share two threads, a single turn of all tasks
/// takes seconds.
///
/// - Returns: Whether the condition held before the time was up, and the other tasks had had 1 000 turns.
package func eventually(
  within limit: Duration = .seconds(50),
  isolation: isolated (any Actor)? = #isolation,
  _ condition: () async -> Bool
) async -> Bool {
  let deadline = ContinuousClock.now + limit
  var turns = 0
  while turns < 1_000 || ContinuousClock.now < deadline {
    if await condition() { return true }
    for _ in 0..<10 { await Task.yield() }
    turns += 10
  }
  return await condition()
}
