/// Changes the edges between operations, one change at a time: what depends on what, and which body waits for what.
///
/// Whether an edge closes a loop can only be told while nobody else changes the graph, so there is one lock for all of
/// it (DP-04, DP-22). It is held by changes alone: operations run and finish without it, since they only take edges
/// away.
enum DependencyGraph {
  struct State: Sendable {
    /// The bodies that wait for everything in a queue.
    var waitsForAll = WaitsForAll()
    /// Queues in which nothing can go on as the graph is, to be told of new edges that may matter to them.
    private(set) var watchers: [ObjectIdentifier: Watcher] = [:]
    private var watcherCount = 0

    mutating func watch(_ host: any OperationHost, needed: Set<ObjectIdentifier>, isOpenEnded: Bool) {
      watcherCount += 1
      watchers[ObjectIdentifier(host)] = Watcher(
        host: host, number: watcherCount, needed: needed, isOpenEnded: isOpenEnded)
    }

    mutating func unwatch(_ id: ObjectIdentifier) { watchers[id] = nil }
  }

  struct Watcher: Sendable {
    weak var host: (any OperationHost)?
    /// The place in the order of coming, in which they are told: a dictionary's differs from run to run.
    let number: Int
    /// What those at the front of the queue wait for, themselves included.
    let needed: Set<ObjectIdentifier>
    /// Whether that is not all, since one of them waits for everything in a queue.
    let isOpenEnded: Bool
  }

  private static let lock = Guarded(State())

  /// Runs something while nobody else changes the graph.
  ///
  /// - Parameter body: Gets the garbage, which is made when it is asked for: most changes make none.
  static func withLock<Result: Sendable>(_ body: (inout State, () -> GraphGarbage) -> Result) -> Result {
    var garbage: GraphGarbage?
    defer { withExtendedLifetime(garbage) {} }
    return lock.withLock { state in
      body(&state) {
        let present = garbage ?? GraphGarbage()
        garbage = present
        return present
      }
    }
  }

  private enum Answer: Sendable {
    case nothing
    case linked(OperationCore.Notice?, donatedPriority: UInt8)
    case loop([any OperationProtocol])
  }

  // MARK: Dependencies

  static func add(
    _ dependency: any OperationProtocol,
    to core: OperationCore,
    requirement: DependencyRequirement,
    of operation: () -> any OperationProtocol
  ) throws {
    let other = dependency.core
    guard core !== other else { throw OperationError.dependencyOnSelf }
    var wakeups: OperationCore.Wakeups = []
    let (answer, watchers) = withLock { state, garbage -> (Answer, [Watcher]) in
      var link = core.link(
        to: dependency, requirement: requirement, unlessWaitedFor: state.waitsForAll, collecting: &wakeups, garbage)
      if case .questionable = link {
        let search = GraphSearch(for: .dependency, waitsForAll: state.waitsForAll)
        if let path = search.path(from: dependency, to: core, keeping: garbage) {
          return (.loop([operation()] + path), [])
        }
        link = core.link(
          to: dependency, requirement: requirement, unlessWaitedFor: nil, collecting: &wakeups, garbage)
      }
      guard case .done(let notice, let donatedPriority) = link else { return (.nothing, []) }
      return (.linked(notice, donatedPriority: donatedPriority), takeWatchers(of: core, &state))
    }
    for reader in wakeups { reader.resume() }
    tell(watchers)
    switch answer {
    case .nothing: break
    case .linked(let notice, let donatedPriority):
      notice?.deliver()
      if donatedPriority > 0 { OperationCore.donate(TaskPriority(rawValue: donatedPriority), to: [other]) }
    case .loop(let path): throw OperationError.dependencyCycle(path)
    }
  }

  static func remove(_ dependency: any OperationProtocol, from operation: any OperationProtocol) {
    var wakeups: OperationCore.Wakeups = []
    let notice = withLock { _, garbage in operation.core.unlink(dependency.core, collecting: &wakeups, garbage) }
    for reader in wakeups { reader.resume() }
    notice?.deliver()
  }

  // MARK: Waits

  /// Begins the wait of a body's own task.
  ///
  /// What has finished already counts as finished; so the wait may be over on return.
  ///
  /// - Returns: The operations along the loop that the wait would close, that whose body waits first; nil where it
  ///   closes none.
  static func begin(_ wait: BodyWait) -> BodyWait.Loop? {
    var isOver = false
    let (loop, watchers) = withLock { state, garbage -> (BodyWait.Loop?, [Watcher]) in
      let waiting = wait.operation.core
      switch wait.subject {
      case .operations(let operations):
        let search = GraphSearch(for: .wait, waitsForAll: state.waitsForAll)
        for operation in operations {
          if operation.core === waiting { return ([wait.operation], []) }
          guard let path = search.path(from: operation, to: waiting, keeping: garbage) else { continue }
          return ([wait.operation] + path, [])
        }
        waiting.waitBegan(wait)
        for operation in operations where !operation.core.register(wait) { isOver = wait.finishedOne() }
      case .all(let host), .scope(let host):
        waiting.waitBegan(wait)
        state.waitsForAll.insert(wait, of: host)
      }
      return (nil, takeWatchers(of: waiting, &state))
    }
    tell(watchers)
    // In a queue it is the slot that is not lent then.
    if isOver, wait.host == nil { wait.goOn() }
    return loop
  }

  /// Those operations that do not wait for another one, through any number of dependencies and waits.
  static func independent(of core: OperationCore, _ operations: [any OperationProtocol]) -> [any OperationProtocol] {
    withLock { state, garbage in
      let search = GraphSearch(for: .wait, waitsForAll: state.waitsForAll)
      return operations.filter { search.path(from: $0, to: core, keeping: garbage) == nil }
    }
  }

  /// Takes waits for everything in a queue out of the graph, once they are over.
  static func forget(_ wait: BodyWait, of host: any OperationHost) {
    withLock { state, _ in state.waitsForAll.remove(wait, of: host) }
  }

  // MARK: Watchers

  /// The queue is gone.
  static func unwatch(_ id: ObjectIdentifier) {
    withLock { state, _ in state.unwatch(id) }
  }

  /// Those to be told, once, that an operation waits for one more.
  private static func takeWatchers(of core: OperationCore, _ state: inout State) -> [Watcher] {
    if state.watchers.isEmpty { return [] }
    let id = ObjectIdentifier(core)
    let concerned = state.watchers.filter { $0.value.isOpenEnded || $0.value.needed.contains(id) }
    for key in concerned.keys { state.unwatch(key) }
    return concerned.values.sorted { $0.number < $1.number }
  }

  private static func tell(_ watchers: [Watcher]) {
    for watcher in watchers { watcher.host?.graphChanged() }
  }
}
