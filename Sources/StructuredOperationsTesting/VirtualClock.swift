import StructuredOperations

/// A clock whose time goes on only when a test says so.
///
/// ```swift
/// let clock = VirtualClock()
/// let upload = Task {
///   try await withOperationTimeout(.seconds(30), clock: clock) {
///     try await send(file)
///   }
/// }
/// await clock.waitForSleepers(1)
/// clock.advance(by: .seconds(30))
/// await #expect(throws: OperationError.timedOut(.seconds(30))) {
///   try await upload.value
/// }
/// ```
///
/// Each clock is independent of all others. A ``SeededExecutor`` that was made with a clock moves it by itself.
public final class VirtualClock: Clock, Sendable {
  /// A moment of a virtual clock; comparable only with others of the same clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    let offset: Duration

    /// The moment that is so much later, or earlier where the duration is negative.
    ///
    /// - Parameter duration: How much later; earlier if it is negative.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// How much later the other moment is; negative where it is earlier.
    ///
    /// - Parameter other: The other moment.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether the first moment is earlier.
    ///
    /// - Parameters:
    ///   - one: A moment.
    ///   - other: The other moment.
    public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private typealias Machine = SleeperStateMachine<UnsafeContinuation<Bool, Never>, UnsafeContinuation<Void, Never>>

  private let machine = Guarded(Machine())

  /// Makes a clock.
  public init() {}

  // MARK: Time

  /// The present moment, which stays the same until time is moved on.
  public var now: Instant { machine.withLock { $0.now } }

  /// Zero: any two moments can be told apart.
  public var minimumResolution: Duration { .zero }

  /// Moves time on, and wakes all whose moment has come: by their moments, then in the order of the calls.
  ///
  /// Waits for nobody: those who are woken go on when their executors run them, and find the end of the whole duration as
  /// ``now``. May be called on any thread.
  ///
  /// - Parameter duration: How much later it is then: not negative.
  /// - Complexity: O(n) in the number of sleepers.
  public func advance(by duration: Duration) {
    if duration < .zero { fatalError("A clock cannot be moved by \(duration): time does not go back.") }
    wake(machine.withLock { $0.advance(by: duration) })
  }

  /// Moves time on to the first moment for which somebody sleeps, and wakes all who sleep until then.
  ///
  /// - Returns: Whether there was anybody; where not, time stands still.
  @discardableResult
  public func advanceToNext() -> Bool {
    guard let sleepers = machine.withLock({ $0.advanceToNext() }) else { return false }
    wake(sleepers)
    return true
  }

  private func wake(_ sleepers: [UnsafeContinuation<Bool, Never>]) {
    for sleeper in sleepers { sleeper.resume(returning: true) }
  }

  // MARK: Sleeping

  /// Suspends until the clock has been moved to a moment; returns at once where it is there already.
  ///
  /// A task that sleeps and is cancelled is none of the sleepers as soon as its `cancel()` returns.
  ///
  /// - Parameters:
  ///   - deadline: The moment.
  ///   - tolerance: Makes no difference: sleepers wake at their moment exactly.
  /// - Throws: `CancellationError` at once where the task is cancelled, or was before.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    // Known before it sleeps: whoever sees it asleep and cancels it finds it gone.
    let number = machine.withLock { $0.announce() }
    let isOver = await withTaskCancellationHandler {
      await withUnsafeContinuation { sleeper in
        switch machine.withLock({ $0.sleep(number, until: deadline, sleeper) }) {
        case .wake(let sleeper, let isCancelled): sleeper.resume(returning: !isCancelled)
        case .sleep(let observers): for observer in observers { observer.resume() }
        }
      }
    } onCancel: {
      machine.withLock { $0.cancel(number, until: deadline) }?.resume(returning: false)
    }
    if !isOver { throw CancellationError() }
  }

  // MARK: Sleepers

  /// The number of tasks that sleep.
  public var sleeperCount: Int { machine.withLock { $0.count } }

  /// Suspends until at least so many tasks sleep.
  ///
  /// A test waits so for the moment to move time on. Returns early where the calling task is cancelled, so that the wait for more
  /// sleepers than come ends with the time limit of a test.
  ///
  /// - Parameter count: How many tasks have to sleep on the clock.
  public func waitForSleepers(_ count: Int) async {
    let number = machine.withLock { $0.announce() }
    await withTaskCancellationHandler {
      await suspendTask { observer in machine.withLock { $0.awaitCount(number, count, observer) } }
    } onCancel: {
      machine.withLock { $0.cancelAwaiting(number) }?.resume()
    }
  }
}

extension VirtualClock: UnboundedClock {}
