/// Numbers operations as they are found, and makes a graph of causes out of their reasons.
///
/// Each reason is looked at once, when its operation is explained, and each operation is found in O(1).
struct ExplanationGraphBuilder {
  typealias Reason = OperationExplanation.Reason

  /// Operations that many wait for together, so that they have an edge to one node and not to each.
  private enum Group: Hashable {
    case slots(ObjectIdentifier)
    case limit(ObjectIdentifier)
    case wholeLimit(ObjectIdentifier)
    /// Whether the queue has still to look for a reason to end the wait.
    case contents(ObjectIdentifier, mayEnd: Bool)
    case needs(ObjectIdentifier)
  }

  /// By their numbers.
  private var operations: [any OperationProtocol] = []
  private var numbers: [ObjectIdentifier: Int] = [:]
  /// Those with the first numbers.
  private(set) var explained: [ExplainedOperation] = []
  /// What is in queues that bodies wait for; has to be known before what waits for one is explained.
  var contents: [ObjectIdentifier: ExplanationGraph.Contents] = [:]
  /// The causes of those that are explained; the first group is -1, the next one -2, and so on.
  private var causes = EdgeLists()
  private var isRoot: [Bool] = []
  private var groups: [Group: Int] = [:]
  private var groupMembers: [[Int]] = []
  /// Whether one of a group may be enough.
  private var needsOne: [Bool] = []
  /// Whether a loop through a group may be about to end.
  private var mayEnd: [Bool] = []

  // MARK: Queries

  /// The first one that is to be explained.
  var next: (any OperationProtocol)? { explained.count < operations.count ? operations[explained.count] : nil }

  /// Once all are explained.
  var search: RootSearch {
    precondition(next == nil, "a search among operations that are not explained")
    var successors = EdgeLists()
    for node in 0..<causes.count {
      for cause in causes[node] { successors.append(cause < 0 ? causes.count - 1 - cause : cause) }
      successors.endNode()
    }
    for members in groupMembers {
      for member in members { successors.append(member) }
      successors.endNode()
    }
    let none = Array(repeating: false, count: causes.count)
    return RootSearch(
      successors: successors, isRoot: isRoot + groupMembers.map { _ in false },
      isGroup: none + groupMembers.map { _ in true }, needsOne: none + needsOne, mayEnd: none + mayEnd)
  }

  // MARK: Inputs

  /// - Returns: The number of an operation, which gets one if it has none.
  @discardableResult
  mutating func number(_ operation: any OperationProtocol) -> Int {
    let id = ObjectIdentifier(operation)
    if let number = numbers[id] { return number }
    numbers[id] = operations.count
    operations.append(operation)
    return operations.count - 1
  }

  /// Adds what was found of ``next``; what its reasons name gets numbers.
  mutating func explain(_ operation: ExplainedOperation) {
    precondition(operation.operation === next, "explained out of order")
    var limits = operation.limits[...]
    for reason in operation.reasons { addCauses(reason, of: operation, &limits) }
    causes.endNode()
    isRoot.append(operation.needsHelp || causes[explained.count].isEmpty && !operation.reasons.isEmpty)
    explained.append(operation)
  }

  private mutating func addCauses(
    _ reason: Reason,
    of operation: ExplainedOperation,
    _ limits: inout ArraySlice<ExplainedOperation.LimitStanding>
  ) {
    switch reason {
    case .dependency(let cause): causes.append(number(cause))
    case .behindBarrier(let barrier):
      guard let needs = operation.sharedWithBarrier else { return causes.append(number(barrier)) }
      addGroup(.needs(ObjectIdentifier(needs)), of: needs.operations, needsOne: false)
    case .noSlot(let queue, place: _, let holders), .returning(let queue, let holders):
      addGroup(
        .slots(ObjectIdentifier(queue)), of: holders, needsOne: holders.count > 1 && !operation.needsAllSlots)
    case .concurrencyLimit(let limit, let holders):
      let (standing, id) = (limits.popFirst(), ObjectIdentifier(limit))
      if standing?.isKept == true {
        for cause in holders { causes.append(number(cause)) }
      } else if let standing, standing.cost >= standing.count {
        addGroup(.wholeLimit(id), of: holders, needsOne: false)
      } else {
        addGroup(.limit(id), of: holders, needsOne: holders.count > 1)
      }
    case .operationsAhead(let operations), .waiting(for: let operations, isSlotLent: _):
      for cause in operations { causes.append(number(cause)) }
    case .waitingForQueue(let queue, isSlotLent: _):
      // The queue ends the wait where all that is left waits for the body.
      let left = contents[ObjectIdentifier(queue)]
      let mayEnd = operation.ownWait.map { $0.isFor(queue) && left?.mayEnd($0) == true } ?? false
      addGroup(
        .contents(ObjectIdentifier(queue), mayEnd: mayEnd), of: left?.operations ?? [], needsOne: true, mayEnd: mayEnd)
    case .notAdded, .suspended, .limitIsZero, .startRate, .beginning, .executing, .callback, .leaving: break
    }
  }

  private mutating func addGroup(
    _ group: Group,
    of operations: [any OperationProtocol],
    needsOne: Bool,
    mayEnd: Bool = false
  ) {
    if operations.isEmpty { return }
    if groups[group] == nil {
      groups[group] = -1 - groupMembers.count
      groupMembers.append(operations.map { number($0) })
      self.needsOne.append(needsOne)
      self.mayEnd.append(mayEnd)
    }
    if let node = groups[group] { causes.append(node) }
  }
}

extension ExplainedOperation {
  /// Whether somebody has to do something about it, whatever the operation waits for besides.
  fileprivate var needsHelp: Bool {
    limits.contains(where: \.isBelowCost) || reasons.contains { if case .notAdded = $0 { true } else { false } }
  }
}
