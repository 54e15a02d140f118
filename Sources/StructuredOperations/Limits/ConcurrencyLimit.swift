/// A limit on how many operations execute at a time, shared by operations of any queues.
///
/// ```swift
/// let connections = ConcurrencyLimit(8, name: "connections")
/// await images.add(limits: [connections]) {
///   try await fetch(imageURL)
/// }
/// await pages.add(limits: [connections]) {
///   try await fetch(pageURL)
/// }
/// ```
///
/// An operation that was made before gets a limit by `addLimit(_:cost:)`.
///
/// An operation with limits begins only when its queue has a slot for it and every limit has room, all taken in one step. It
/// holds no limit while it waits for another or for a slot, and keeps no slot from others while it waits for a limit. So
/// limits cannot deadlock, in whatever order operations name them.
///
/// An operation stands in line for its limits while nothing else keeps it from beginning: it is ready, not behind a barrier,
/// and its queue is neither suspended nor full nor held by its start rate. Otherwise those behind it go ahead. In line the
/// higher priority comes first, then the earlier addition, whatever the queues; bodies that return from a wait come before
/// all that have not begun. Nobody overtakes one ahead of it in the line for a limit that both need, so room may stay unused,
/// and an operation that needs several limits gets its turn. One that lacks a slot at one time and a limit at another
/// can be overtaken, since keeping either for it could deadlock. An operation whose cost is above the count waits until the
/// count grows, and holds up nobody.
///
/// A body that waits for an operation or a queue lends its limits together with its slot, and has both again when it goes on.
/// So a limit of 1 is mutual exclusion of the stretches between a body's own waits, as in an actor.
///
/// The limit lives as long as somebody holds it; operations hold theirs.
public final class ConcurrencyLimit: Sendable {
  /// What the limit is called in messages; nil if it has no name.
  public let name: String?
  let id: LimitTable.LimitID

  /// Makes a limit.
  ///
  /// - Parameters:
  ///   - count: How much may be in use at a time, from 0 on; 0 lets nobody begin. A negative count is a programming error.
  ///   - name: What the limit is called in messages.
  public init(_ count: Int, name: String? = nil) {
    Self.check(count)
    self.name = name
    id = LimitTable.addLimit(count: count)
  }

  deinit { LimitTable.removeLimit(id) }

  /// How much may be in use at a time.
  ///
  /// May be read on any thread.
  public var count: Int { LimitTable.count(of: id) }

  /// How much of the count nobody has at this moment; 0 where more is in use, since the count was lowered.
  ///
  /// What an operation had is back before those who wait for its end go on. May be read on any thread.
  public var available: Int { LimitTable.available(of: id) }

  /// Changes how much may be in use at a time, at once.
  ///
  /// Where it grew more begin; where it shrank nobody is stopped, and nobody begins until there is room. Does not suspend; may
  /// be called on any thread.
  ///
  /// - Parameter count: From 0 on; a negative count is a programming error.
  /// - Complexity: O(n log n) in the number of operations that wait for this limit.
  public func setCount(_ count: Int) {
    Self.check(count)
    LimitTable.setCount(count, of: id)
  }

  private static func check(_ count: Int) {
    // Not a precondition, whose message a release build would not print.
    if count < 0 { fatalError("\(count) is no count of a limit: expected a number from 0 on.") }
  }
}

extension ConcurrencyLimit: CustomStringConvertible, CustomReflectable {
  /// The name, and how much is in use: `ConcurrencyLimit "connections" (3 of 8 in use)`.
  public var description: String {
    let (count, used) = LimitTable.usage(of: id)
    return "ConcurrencyLimit \(name.map { "\"\($0.onOneLine)\" " } ?? "")(\(used) of \(count) in use)"
  }

  /// What `dump` shows: what can be asked of the limit.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["name": name as Any, "count": count, "available": available] as KeyValuePairs<String, Any>,
      displayStyle: .class)
  }
}
