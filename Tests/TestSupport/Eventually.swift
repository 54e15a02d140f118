/// Suspends until a condition holds that cannot be awaited, such as the `deinit` of an object.
///
/// - Returns: Whether the condition held before the time was up.
package func eventually(
  within limit: Duration = .seconds(50),
  isolation: isolated (any Actor)? = #isolation,
  _ condition: () async -> Bool
) async -> Bool {
  let deadline = ContinuousClock.now + limit
  while ContinuousClock.now < deadline {
    if await condition() { return true }
    for _ in 0..<10 { await Task.yield() }
  }
  return await condition()
}
