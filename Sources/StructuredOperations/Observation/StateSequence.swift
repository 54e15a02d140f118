/// The snapshots of an operation or a queue, beginning when its `states` property was read.
///
/// Each access to `states` returns a new sequence for one reader. If several readers share a sequence, each element
/// goes to one of them, and where the task of one is cancelled the sequence ends for all. Sequences and iterators do not keep the
/// operation or queue alive.
public struct StateSequence<Snapshot: Sendable>: AsyncSequence, Sendable {
  /// A snapshot.
  public typealias Element = Snapshot
  /// Reading never fails.
  public typealias Failure = Never

  private let subscription: ChangeSubscription<Snapshot>

  init(_ channel: ChangeChannel<Snapshot>) {
    subscription = ChangeSubscription(to: channel)
  }

  /// Makes a reader.
  ///
  /// Each element of a sequence goes to one of its readers.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  // Its functions are specialised for both snapshots, with what they call. Otherwise modules of users run generic code, which
  // looks up metadata at each step: half of all instructions of reading states. Swift 6.2 has no such attribute.

  /// Reads the snapshots one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: ChangeSubscription<Snapshot>

    /// The next snapshot, or nil after the last one.
    ///
    /// Suspends until there is one. Cancelling the reading task ends the sequence: what comes later is not read any more, while
    /// what is there unread is, of a queue one snapshot at most.
    #if compiler(>=6.3)
      @specialized(where Snapshot == OperationSnapshot)
      @specialized(where Snapshot == QueueSnapshot)
    #endif
    public mutating func next() async -> Snapshot? { await subscription.channel.next() }

    /// The next snapshot, for a reader that is isolated to an actor.
    ///
    /// - Parameter isolation: The actor that the caller runs on.
    #if compiler(>=6.3)
      @specialized(where Snapshot == OperationSnapshot)
      @specialized(where Snapshot == QueueSnapshot)
    #endif
    public mutating func next(isolation: isolated (any Actor)?) async -> Snapshot? {
      await subscription.channel.next()
    }
  }
}

/// An iterator belongs to one task.
@available(*, unavailable)
extension StateSequence.Iterator: Sendable {}
