/// What was found of one operation.
struct ExplainedOperation: Sendable {
  let operation: any OperationProtocol
  var reasons: [OperationExplanation.Reason]
  var isCancelled = false
  /// Whether it has finished, and its observers are being told.
  var isEnding = false
  /// What the body's own task waits for.
  var ownWait: OperationCondition.Wait?
  /// Whether all that have slots of its queue have to give them up before it gets one: the queue has one by now.
  var needsAllSlots = false
  /// Whether its body has lent its slot.
  var hasLentSlot = false
  /// How long its queue stays suspended, where that resumes by itself.
  var remainingSuspension: Duration?
  /// Where it waits for its barrier only until that is due: what both wait for until then.
  var sharedWithBarrier: QueueFacts.SharedNeeds?
  /// The counts of the limits that the reasons name, in their order.
  var limits: [LimitStanding] = []

  /// How a limit stood that an operation lacks.
  struct LimitStanding: Equatable, Sendable {
    let count: Int
    let cost: Int
    /// Whether there is room, which is kept for one ahead in line.
    let isKept: Bool

    /// Whether the operation waits until the count grows, whoever gives back what.
    var isBelowCost: Bool { count < cost }
  }
}
