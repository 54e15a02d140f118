public import StructuredOperations

extension OperationHistory {
  /// What one operation did.
  public struct Entry: Hashable, Identifiable, Sendable {
    /// The number of the operation: the order of addition, unique within a journal.
    public let id: Int
    /// The operation's name or, where it has none, where it was made: `AsyncOperation at Crawler/main.swift:42`.
    public let name: String
    /// The name of the operation's queue; nil where it was started by hand.
    public let queue: String?
    /// The rank among the ready operations, as it was when the body began.
    public let queuePriority: QueuePriority
    /// How the operation ended.
    public let outcome: Outcome
    /// Whether the operation was cancelled, in time for its body or not.
    public let isCancelled: Bool
    /// The numbers of the operations that this one depended on, in the order of addition.
    ///
    /// Only those that the history has. Of one that has not begun those that it had when it was added, or was blocked last:
    /// no event tells of one that comes while others are waited for.
    public let dependencies: [Int]
    /// The number of the operation whose body added this one; nil where none did, or where the history does not have
    /// it.
    public let parent: Int?
    /// When the operation was added to its queue, or started by hand.
    public let addedAt: Duration
    /// When the operation finished; nil where it had not.
    public let finishedAt: Duration?
    /// What the operation did when: without a gap from ``addedAt`` to ``finishedAt``, or to the history's time.
    ///
    /// Spans of no length are left out, unless the operation executed or waited in them.
    public let spans: [Span]

    /// The number of the queue, so that queues of the same name can be told apart; 0 where started by hand.
    let queueNumber: Int

    /// The time that the operation spent in one way, of all its spans together.
    ///
    /// - Parameter kind: The kind of span.
    /// - Complexity: O(number of spans).
    public func duration(_ kind: Span.Kind) -> Duration {
      spans.reduce(.zero) { $1.kind == kind ? $0 + $1.duration : $0 }
    }

    /// The spans in which the body executed.
    var executions: some BidirectionalCollection<Span> { spans.lazy.filter { $0.kind == .executing } }

    /// Whether the body began.
    var hasBegun: Bool { spans.contains { $0.kind == .executing } }
  }
}

extension OperationHistory.Entry: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, name, queue, queueNumber, queuePriority, outcome, isCancelled, dependencies, parent, addedAt, finishedAt
    case spans
  }

  /// Reads an entry; times of 292 years and more are cut off.
  ///
  /// - Parameter decoder: Where the entry is read from.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(Int.self, forKey: .id)
    name = try values.decode(String.self, forKey: .name)
    queue = try values.decodeIfPresent(String.self, forKey: .queue)
    queueNumber = try values.decode(Int.self, forKey: .queueNumber)
    queuePriority = QueuePriority(clamping: try values.decode(Int.self, forKey: .queuePriority))
    outcome = try values.decode(OperationHistory.Outcome.self, forKey: .outcome)
    isCancelled = try values.decode(Bool.self, forKey: .isCancelled)
    dependencies = try values.decode([Int].self, forKey: .dependencies)
    parent = try values.decodeIfPresent(Int.self, forKey: .parent)
    addedAt = try values.decode(Duration.self, forKey: .addedAt).cutOff
    finishedAt = try values.decodeIfPresent(Duration.self, forKey: .finishedAt)?.cutOff
    spans = try values.decode([OperationHistory.Span].self, forKey: .spans)
  }

  /// Writes the entry.
  ///
  /// - Parameter encoder: Where the entry is written to.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(name, forKey: .name)
    try values.encodeIfPresent(queue, forKey: .queue)
    try values.encode(queueNumber, forKey: .queueNumber)
    try values.encode(queuePriority.rawValue, forKey: .queuePriority)
    try values.encode(outcome, forKey: .outcome)
    try values.encode(isCancelled, forKey: .isCancelled)
    try values.encode(dependencies, forKey: .dependencies)
    try values.encodeIfPresent(parent, forKey: .parent)
    try values.encode(addedAt, forKey: .addedAt)
    try values.encodeIfPresent(finishedAt, forKey: .finishedAt)
    try values.encode(spans, forKey: .spans)
  }
}
