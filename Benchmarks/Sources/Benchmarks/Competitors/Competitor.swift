/// Who does a workload, in the order of a round.
enum Competitor: CaseIterable, Hashable, Sendable, CustomStringConvertible {
  /// The floor: a child task for each operation and nothing else.
  case taskGroup
  /// The queue of this package.
  case asyncOperationQueue
  /// Foundation's queue.
  case operationQueue

  var description: String {
    switch self {
    case .taskGroup: "task group"
    case .asyncOperationQueue: "AsyncOperationQueue"
    case .operationQueue: "OperationQueue"
    }
  }
}
