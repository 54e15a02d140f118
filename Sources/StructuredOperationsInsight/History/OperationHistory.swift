/// What the operations of some queues did, and when: a value that an ``OperationJournal`` hands out.
///
/// All times are `Duration`s since the journal was made, on its clock; those of 292 years and more are cut off, also when a
/// history is decoded. A history does not change while the journal goes on; it can be compared, encoded and decoded.
public struct OperationHistory: Hashable, Sendable {
  /// The operations, in the order of addition.
  public let operations: [Entry]

  /// When the journal was asked for this history: unfinished operations are told up to this time.
  public let time: Duration

  /// How many finished operations the journal had noted and forgotten again, since it does not keep so many.
  ///
  /// All figures of the history are those of the others.
  public let forgottenCount: Int

  init(operations: [Entry], time: Duration, forgottenCount: Int = 0) {
    self.operations = operations
    self.time = time
    self.forgottenCount = forgottenCount
  }

  /// From the first addition to the last end, or to ``time`` where an operation has not finished; zero without
  /// operations, and where the clock has gone back in between.
  ///
  /// - Complexity: O(n).
  public var duration: Duration { max(.zero, end - start) }

  /// The first addition.
  var start: Duration { operations.lazy.map(\.addedAt).min() ?? .zero }

  /// The last end.
  var end: Duration { operations.lazy.map { $0.finishedAt ?? time }.max() ?? start }

  /// The share of the time during which the slots that were used were busy, from 0 to 1; 0 without operations.
  ///
  /// The sum of all executing spans, divided by the number of slots that were used at all, of all queues together,
  /// and by ``duration``. Bodies started by hand count as if they had a queue of their own.
  ///
  /// - Complexity: O(n).
  public var utilization: Double {
    var slots: Set<SlotName> = []
    var busy = Duration.zero
    for operation in operations {
      for span in operation.spans {
        guard let slot = span.slot else { continue }
        slots.insert(SlotName(queue: operation.queueNumber, slot: slot))
        // Negative where the clock went back, or the history was read from somewhere.
        busy += max(.zero, span.duration)
      }
    }
    let available = duration * slots.count
    return available > .zero ? min(1, busy / available) : 0
  }
}

extension OperationHistory: Codable {
  /// Reads a history; times of 292 years and more are cut off.
  ///
  /// - Parameter decoder: Where the history is read from.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    operations = try values.decode([Entry].self, forKey: .operations)
    time = try values.decode(Duration.self, forKey: .time).cutOff
    forgottenCount = try values.decodeIfPresent(Int.self, forKey: .forgottenCount) ?? 0
  }
}

/// A slot of a queue.
struct SlotName: Hashable {
  let queue: Int
  let slot: Int
}
