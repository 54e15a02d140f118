/// Makes a graph of causes out of reasons.
struct ExplanationGraphBuilder {
  typealias Reason = OperationExplanation.Reason

  /// Operations that many wait for together, so that they have an edge to one node and not to each.
  private enum Group: Hashable {
    case slots(ObjectIdentifier)
    case limit(ObjectIdentifier)
    case contents(ObjectIdentifier)
  }

  private(set) var operations: [ExplainedOperation]
  private(set) var numbers: [ObjectIdentifier: Int] = [:]
  private var successors: [[Int]] = []
  private var groups: [Group: Int] = [:]
  /// Whether one of a node's successors may be enough.
  private var needsOne: [Bool] = []

  init(_ operations: [ExplainedOperation], _ contents: ExplanationGraph.Contents) {
    self.operations = operations
    for (number, explained) in operations.enumerated() { numbers[ObjectIdentifier(explained.operation)] = number }
    for explained in operations {
      for reason in explained.reasons { for operation in reason.operations(contents) { number(operation) } }
    }
    successors = Array(repeating: [], count: self.operations.count)
    needsOne = Array(repeating: false, count: self.operations.count)
    for node in operations.indices {
      for reason in operations[node].reasons { addCauses(reason, of: node, contents) }
    }
  }

  var search: RootSearch {
    RootSearch(
      successors: successors, isRoot: successors.indices.map(isRoot),
      isGroup: successors.indices.map { $0 >= operations.count }, needsOne: needsOne)
  }

  private mutating func number(_ operation: any OperationProtocol) {
    let id = ObjectIdentifier(operation)
    guard numbers[id] == nil else { return }
    numbers[id] = operations.count
    operations.append(ExplainedOperation(operation: operation, reasons: []))
  }

  private mutating func addCauses(_ reason: Reason, of node: Int, _ contents: ExplanationGraph.Contents) {
    switch reason {
    case .dependency(let operation), .behindBarrier(let operation): add([operation], to: node)
    case .operationsAhead(let operations), .waiting(for: let operations, isSlotLent: _): add(operations, to: node)
    case .noSlot(let queue, place: _, let holders), .returning(let queue, let holders):
      add(group(.slots(ObjectIdentifier(queue)), of: holders, needsOne: holders.count > 1), to: node)
    case .concurrencyLimit(let limit, let holders):
      if operations[node].limits.contains(where: \.isKept) {
        add(holders, to: node)
      } else {
        add(group(.limit(ObjectIdentifier(limit)), of: holders, needsOne: holders.count > 1), to: node)
      }
    case .waitingForQueue(let queue, isSlotLent: _):
      let operations = contents[ObjectIdentifier(queue)] ?? []
      // The queue ends the wait where all that is left waits for the body.
      add(group(.contents(ObjectIdentifier(queue)), of: operations, needsOne: true), to: node)
    case .notAdded, .suspended, .limitIsZero, .startRate, .beginning, .executing, .callback, .leaving: break
    }
  }

  private mutating func add(_ operations: [any OperationProtocol], to node: Int) {
    successors[node] += operations.compactMap { numbers[ObjectIdentifier($0)] }
  }

  private mutating func add(_ group: Int?, to node: Int) {
    if let group { successors[node].append(group) }
  }

  private mutating func group(_ group: Group, of operations: [any OperationProtocol], needsOne isChoice: Bool) -> Int? {
    if operations.isEmpty { return nil }
    if let node = groups[group] { return node }
    let node = successors.count
    groups[group] = node
    successors.append([])
    needsOne.append(isChoice)
    add(operations, to: node)
    return node
  }

  /// Whether a cause has no cause, or is one whatever else there is.
  private func isRoot(_ node: Int) -> Bool {
    guard node < operations.count, !operations[node].reasons.isEmpty else { return false }
    return successors[node].isEmpty || operations[node].reasons.contains(where: \.isFault)
  }
}

extension OperationExplanation.Reason {
  /// Whether somebody has to do something about it, whatever the operation waits for besides.
  fileprivate var isFault: Bool {
    switch self {
    case .notAdded: true
    case .concurrencyLimit(_, let holders): holders.isEmpty
    case .dependency, .suspended, .limitIsZero, .noSlot, .behindBarrier, .operationsAhead, .startRate, .beginning,
      .executing, .waiting, .waitingForQueue, .returning, .callback, .leaving:
      false
    }
  }

  /// The operations that it leads to.
  func operations(_ contents: ExplanationGraph.Contents) -> [any OperationProtocol] {
    switch self {
    case .dependency(let operation), .behindBarrier(let operation): [operation]
    case .operationsAhead(let operations), .waiting(for: let operations, isSlotLent: _): operations
    case .noSlot(_, place: _, let holders), .returning(_, let holders), .concurrencyLimit(_, let holders): holders
    case .waitingForQueue(let queue, isSlotLent: _): contents[ObjectIdentifier(queue)] ?? []
    case .notAdded, .suspended, .limitIsZero, .startRate, .beginning, .executing, .callback, .leaving: []
    }
  }
}
