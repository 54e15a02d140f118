/// Who does a workload, in the order of a round.
enum Competitor: String, CaseIterable, Hashable, Sendable {
  /// The floor: a child task for each operation in a window of them, and nothing else.
  case taskGroup = "floor"
  /// The queue of this package.
  case asyncOperationQueue = "ours"
  /// Foundation's queue.
  case operationQueue = "foundation"
  /// A concurrent Dispatch queue behind a semaphore, where nothing depends on anything.
  case dispatch

  /// The others, which the queue of this package is compared to.
  static let others = allCases.filter { $0 != .asyncOperationQueue }
}
