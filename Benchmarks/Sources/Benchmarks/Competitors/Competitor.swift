/// The implementations that are compared, in the order of a round.
enum Competitor: String, CaseIterable, Hashable, Sendable {
  /// The floor: a task group with a bounded number of children, one for each operation.
  case taskGroup = "floor"
  /// Objects by hand: a graph of them around such a group, in workloads with dependencies; a queue of them, where one is timed.
  case objectGraph = "objects"
  /// The queue of this package.
  case asyncOperationQueue = "ours"
  /// Foundation's queue.
  case operationQueue = "foundation"
  /// A concurrent Dispatch queue behind a semaphore, in workloads without dependencies.
  case dispatch

  /// The others, which the queue of this package is compared with.
  static let others = allCases.filter { $0 != .asyncOperationQueue }
}
