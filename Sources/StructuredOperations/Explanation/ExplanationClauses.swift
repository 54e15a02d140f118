/// Tells the reasons of one operation in words that follow its name.
struct ExplanationClauses {
  typealias Reason = OperationExplanation.Reason

  /// Several reasons in words.
  struct Clause {
    var text: String
    /// Whether the last word is the name of the target, so that "which" may follow.
    var endsWithTarget: Bool
  }

  private let time: ContinuousClock.Instant

  /// - Parameter time: When the reasons were found.
  init(at time: ContinuousClock.Instant) { self.time = time }

  /// All reasons of an operation.
  ///
  /// - Parameter target: The operation that is told next; the words name it where one of several is named.
  func clause(
    of explained: ExplainedOperation,
    to target: (any OperationProtocol)?,
    contents: [ObjectIdentifier: ExplanationGraph.Contents]
  ) -> Clause {
    var clauses: [Clause] = []
    var limits = explained.limits[...]
    let dependencies = explained.reasons.compactMap { reason in
      if case .dependency(let operation) = reason { operation } else { nil }
    }
    if !dependencies.isEmpty { clauses.append(several("waits for", dependencies, target)) }
    for reason in explained.reasons {
      if let clause = clause(of: reason, explained, &limits, target, contents) { clauses.append(clause) }
    }
    // What leads on comes last, so that the next words can follow it.
    if let index = clauses.firstIndex(where: \.endsWithTarget) { clauses.append(clauses.remove(at: index)) }
    let text = clauses.map(\.text).joined(separator: ", and ")
    return Clause(text: text, endsWithTarget: clauses.last?.endsWithTarget == true)
  }

  /// Nil where the reason is told elsewhere.
  private func clause(
    of reason: Reason,
    _ explained: ExplainedOperation,
    _ limits: inout ArraySlice<ExplainedOperation.LimitStanding>,
    _ target: (any OperationProtocol)?,
    _ contents: [ObjectIdentifier: ExplanationGraph.Contents]
  ) -> Clause? {
    switch reason {
    case .dependency: return nil
    case .notAdded: return plain("is in no queue and has not been started")
    case .suspended(let queue):
      let rest = explained.remainingSuspension.map { " for another \(remaining($0))" } ?? ""
      return plain("is in the queue \"\(queue.name)\", which is suspended\(rest)")
    case .limitIsZero(let queue): return plain("is in the queue \"\(queue.name)\", whose limit is 0")
    case .noSlot(let queue, let place, let holders):
      return plain("is number \(place) in line for a slot of \(slots(queue, holders, target))")
    case .behindBarrier(let barrier):
      guard let needs = explained.sharedWithBarrier?.operations, !needs.isEmpty else {
        return several("is behind the barrier", [barrier], target)
      }
      return several("waits, like the barrier \(label(barrier)), for", needs, target)
    case .operationsAhead(let operations):
      return several("waits, as a barrier, for", operations, target)
    case .concurrencyLimit(let limit, let holders):
      return clause(of: limit, limits.popFirst(), holders, target)
    case .startRate(let queue, let duration):
      return plain(
        "waits for the start rate of the queue \"\(queue.name)\", which lets nothing begin for another \(remaining(duration))"
      )
    case .beginning: return plain("has been chosen to run, and its executor has not begun with it")
    case .executing where explained.isEnding: return plain("has finished, and its observers are being told")
    case .executing(let start):
      let although = explained.isCancelled ? ", although it was cancelled" : ""
      let what = start.map { "has been executing for \(words($0.duration(to: time)))" } ?? "is executing"
      guard explained.reasons.count == 1 else { return plain("\(what)\(although)") }
      let isCall = explained.isCancelled && explained.operation.storage.runsInCaller
      let body = isCall ? "its body, which is cancelled with its caller's task alone," : "its body"
      return plain(
        "\(what)\(although): \(body) has not returned\(explained.hasLentSlot ? ", and has lent its slot" : "")")
    case .waiting(for: let operations, let isLent):
      return several("waits, \(lending(isLent)), for", operations, target)
    case .waitingForQueue(let queue, let isLent):
      let what = "waits, \(lending(isLent)), for everything in the queue \"\(queue.name)\""
      let contents = contents[ObjectIdentifier(queue)]
      let operations = contents?.operations.filter { $0 !== explained.operation } ?? []
      if !operations.isEmpty { return plain("\(what), where \(left(operations, target))") }
      let owners = contents?.completionBlocks ?? []
      guard let first = owners.first.map(label) else { return plain(what) }
      if owners.count == 1 { return plain("\(what), where the completion block of \(first) has not ended") }
      return plain("\(what), where \(owners.count) completion blocks have not ended, among them that of \(first)")
    case .returning(let queue, let holders):
      return plain("has waited and needs a slot again of \(slots(queue, holders, target))")
    case .callback: return plain("waits for its completion to be called")
    case .leaving:
      return plain(
        "will leave unrun, since \(explained.isCancelled ? "it was cancelled" : "a dependency did not succeed")")
    }
  }

  private func clause(
    of limit: ConcurrencyLimit,
    _ standing: ExplainedOperation.LimitStanding?,
    _ holders: [any OperationProtocol],
    _ target: (any OperationProtocol)?
  ) -> Clause {
    let name = limit.name.map { "the concurrency limit \"\($0)\"" } ?? "a concurrency limit"
    if let standing, standing.isBelowCost {
      if standing.count == 0 { return plain("waits for \(name), whose count is 0") }
      return plain("waits for \(name), whose count of \(standing.count) is below its cost of \(standing.cost)")
    }
    // The limit is looked at first. Whoever had it then, or was ahead in line, may have finished before its queue is asked.
    if holders.isEmpty { return plain("waits for \(name)") }
    if standing?.isKept == true { return several("is in line for \(name) behind", holders, target) }
    let first = label(named(holders, target))
    let who = holders.count == 1 ? "\(first) has" : "\(holders.count) operations have, among them \(first)"
    return plain("waits for \(name), which \(who)")
  }

  // MARK: Parts

  private func lending(_ isLent: Bool) -> String { isLent ? "with its slot lent" : "without lending a slot" }

  private func plain(_ text: String) -> Clause { Clause(text: text, endsWithTarget: false) }

  /// A phrase, then an operation, or how many they are and one of them.
  private func several(_ phrase: String, _ operations: [any OperationProtocol], _ target: (any OperationProtocol)?)
    -> Clause
  {
    let name = label(named(operations, target))
    let isTarget = operations.contains { $0 === target }
    if operations.count == 1 { return Clause(text: "\(phrase) \(name)", endsWithTarget: isTarget) }
    return Clause(text: "\(phrase) \(operations.count) operations, among them \(name)", endsWithTarget: isTarget)
  }

  private func slots(
    _ queue: AsyncOperationQueue,
    _ holders: [any OperationProtocol],
    _ target: (any OperationProtocol)?
  ) -> String {
    let queue = "the queue \"\(queue.name)\""
    switch holders.count {
    case 0: return queue
    case 1: return "\(queue), whose only slot \(label(holders[0])) has"
    default: return "\(queue), whose \(holders.count) slots are taken, one by \(label(named(holders, target)))"
    }
  }

  private func left(_ operations: [any OperationProtocol], _ target: (any OperationProtocol)?) -> String {
    let name = label(named(operations, target))
    return operations.count == 1 ? "\(name) is left" : "\(operations.count) operations are left, among them \(name)"
  }

  /// The one of several operations that the words name.
  private func named(_ operations: [any OperationProtocol], _ target: (any OperationProtocol)?) -> any OperationProtocol
  {
    operations.first { $0 === target } ?? operations[0]
  }

  private func label(_ operation: any OperationProtocol) -> String { operation.label }

  /// The time that is left, at least 1 ms: "another 0 ms" would say that nothing is.
  private func remaining(_ duration: Duration) -> String { words(max(duration, .milliseconds(1))) }

  /// A duration in the largest unit that leaves something before the point.
  private func words(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    // First, since the milliseconds of a very long one are more than an `Int64` holds.
    if seconds >= 600 { return "\(seconds / 60) min" }
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    switch milliseconds {
    case ..<1_000: return "\(milliseconds) ms"
    case ..<10_000: return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
    default: return "\(milliseconds / 1_000) s"
    }
  }

  /// Names with commas, and "and" before the last one.
  static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }
}
