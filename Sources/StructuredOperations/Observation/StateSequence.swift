/// The snapshots of an operation or a queue, from the moment at which its `states` was read.
///
/// Each reading of `states` gives a sequence of its own, for one reader; readers that share one share its elements
/// out among them. A sequence, and its iterator, keep neither the operation nor the queue alive, and cost nothing
/// once they are gone.
public struct StateSequence<Snapshot: Sendable>: AsyncSequence, Sendable {
  /// A snapshot.
  public typealias Element = Snapshot
  /// Reading never fails.
  public typealias Failure = Never

  private let subscription: ChangeSubscription<Snapshot>

  init(_ channel: ChangeChannel<Snapshot>) {
    subscription = ChangeSubscription(to: channel)
  }

  /// The reader.
  ///
  /// Readers that are made of one sequence share its elements out among them.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  /// Reads the snapshots one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: ChangeSubscription<Snapshot>

    /// The next snapshot; nil after the last one, or where the reading task is cancelled, which ends the sequence.
    ///
    /// Suspends until there is one.
    public mutating func next() async -> Snapshot? { await subscription.channel.next() }

    /// The next snapshot, for a reader on an actor.
    public mutating func next(isolation: isolated (any Actor)?) async -> Snapshot? {
      await subscription.channel.next()
    }
  }
}

/// One task reads.
@available(*, unavailable)
extension StateSequence.Iterator: Sendable {}
