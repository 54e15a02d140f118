/// What a queue knows of its operations at one moment.
struct QueueFacts: Sendable {
  /// One operation, as its queue sees it.
  struct Member: Sendable {
    let operation: any OperationProtocol
    let condition: OperationCondition
    let standing: QueueScheduler<OperationStorage>.Standing
    /// What stands in line for its limits, or has them.
    let demand: LimitTable.DemandID?
    /// Whether its limits are asked for: it has all else that it needs.
    let mayLackLimits: Bool
    /// Of a barrier: what comes before it and after the barrier before.
    let ahead: [any OperationProtocol]
    let barrier: (any OperationProtocol)?
  }

  let queue: AsyncOperationQueue
  /// The queue in words.
  let header: String
  let isSuspended: Bool
  let isLimitZero: Bool
  /// How long the start rate lets nothing begin.
  let rateHold: Duration?
  /// In the order of addition, barriers included.
  let members: [Member]
  let slotHolders: [any OperationProtocol]
}
