extension OperationHistory {
  /// A stretch of time in which an operation did one thing.
  public struct Span: Hashable, Sendable {
    /// What an operation does.
    public enum Kind: String, Hashable, Codable, CaseIterable, Sendable {
      /// It waits for a dependency.
      case blocked
      /// It waits for a slot, a barrier, a limit, a start rate, or for its queue to be resumed.
      case ready
      /// Its body executes and has a slot.
      case executing
      /// Its body waits for something and has lent its slot, up to the moment at which it has a slot again.
      case waiting
    }

    /// What the operation did.
    public let kind: Kind
    /// The beginning.
    public let start: Duration
    /// The end; the time of the history where the span had not ended.
    public let end: Duration
    /// The number of the slot, from 1: the smallest that was free in its queue.
    ///
    /// Nil unless the operation executed. A journal numbers the slots itself; a queue has no names for them.
    public let slot: Int?
    /// The number of the operation that was waited for.
    ///
    /// Where blocked the dependency that finished last, where waiting what the body waited for. Nil where the history
    /// does not have it, and for other kinds.
    public let cause: Int?

    /// The number of the queue, where everything in one was waited for: ``Entry/queueNumber``.
    ///
    /// Nil where the journal had nothing of that queue, and for other waits and kinds.
    let queueNumber: Int?

    init(kind: Kind, start: Duration, end: Duration, slot: Int?, cause: Int?, queueNumber: Int? = nil) {
      (self.kind, self.start, self.end, self.slot) = (kind, start, end, slot)
      (self.cause, self.queueNumber) = (cause, queueNumber)
    }

    /// From the beginning to the end.
    public var duration: Duration { end - start }
  }
}

extension OperationHistory.Span: Codable {
  /// Reads a span; times of 292 years and more are cut off.
  ///
  /// - Parameter decoder: Where the span is read from.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    kind = try values.decode(Kind.self, forKey: .kind)
    start = try values.decode(Duration.self, forKey: .start).cutOff
    end = try values.decode(Duration.self, forKey: .end).cutOff
    slot = try values.decodeIfPresent(Int.self, forKey: .slot)
    cause = try values.decodeIfPresent(Int.self, forKey: .cause)
    queueNumber = try values.decodeIfPresent(Int.self, forKey: .queueNumber)
  }
}
