/// Changes the edges between operations, one change at a time: what depends on what, and which body waits for what.
///
/// Whether an edge closes a loop can only be told while nobody else changes the graph, so there is one lock for all of
/// it (DP-04, DP-22). It is held by changes alone: operations run and finish without it, since they only take edges
/// away.
enum DependencyGraph {
  struct State: Sendable {
    /// The bodies that wait for everything in a queue.
    var waitsForAll = WaitsForAll()
    /// Queues in which nothing can go on as the graph is, to be told of new edges.
    var watchers: [ObjectIdentifier: Watcher] = [:]
  }

  struct Watcher: Sendable {
    weak var host: (any OperationHost)?
  }

  static let lock = Guarded(State())

  private enum Answer: Sendable {
    case linked(OperationCore.Notice?)
    case loop([any OperationProtocol])
  }

  // MARK: Dependencies

  static func add(
    _ dependency: any OperationProtocol,
    to operation: any OperationProtocol,
    requirement: DependencyRequirement
  ) throws {
    let core = operation.core
    let other = dependency.core
    guard core !== other else { throw OperationError.dependencyOnSelf }
    var wakeups: OperationCore.Wakeups = []
    var garbage: OperationCore.Garbage = []
    let (answer, watchers) = lock.withLock { state -> (Answer, [Watcher]) in
      guard core.read({ $0.lifecycle.isOpen }) else { return (.linked(nil), []) }
      let search = GraphSearch(for: .dependency, waitsForAll: state.waitsForAll)
      if let path = search.path(from: dependency, to: core, collecting: &garbage) {
        return (.loop([operation] + path), [])
      }
      let notice = core.link(to: dependency, requirement: requirement, collecting: &wakeups, &garbage)
      return (.linked(notice), matters(core, state) ? takeWatchers(&state) : [])
    }
    for reader in wakeups { reader.resume() }
    tell(watchers)
    switch answer {
    case .linked(let notice): notice?.deliver()
    case .loop(let path): throw OperationError.dependencyCycle(path)
    }
  }

  static func remove(_ dependency: any OperationProtocol, from operation: any OperationProtocol) {
    var wakeups: OperationCore.Wakeups = []
    var garbage: OperationCore.Garbage = []
    let notice = lock.withLock { _ in operation.core.unlink(dependency.core, collecting: &wakeups, &garbage) }
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
    var garbage: OperationCore.Garbage = []
    let (loop, watchers) = lock.withLock { state -> (BodyWait.Loop?, [Watcher]) in
      let waiting = wait.operation.core
      switch wait.subject {
      case .operations(let operations):
        let search = GraphSearch(for: .wait, waitsForAll: state.waitsForAll)
        for operation in operations {
          if operation.core === waiting { return ([wait.operation], []) }
          guard let path = search.path(from: operation, to: waiting, collecting: &garbage) else { continue }
          return ([wait.operation] + path, [])
        }
        waiting.waitBegan(wait)
        for operation in operations where !operation.core.register(wait) { _ = wait.finishedOne() }
      case .all(let host), .scope(let host):
        waiting.waitBegan(wait)
        state.waitsForAll.insert(wait, of: host)
      }
      return (nil, takeWatchers(&state))
    }
    tell(watchers)
    return loop
  }

  /// Takes waits for everything in a queue out of the graph, once they are over.
  static func forget(_ wait: BodyWait, of host: any OperationHost) {
    lock.withLock { $0.waitsForAll.remove(wait, of: host) }
  }

  // MARK: Watchers

  /// Has a queue told of new edges, once.
  static func watch(_ host: any OperationHost, in state: inout State) {
    state.watchers[ObjectIdentifier(host)] = Watcher(host: host)
  }

  /// The queue is gone.
  static func unwatch(_ id: ObjectIdentifier) {
    lock.withLock { _ = $0.watchers.removeValue(forKey: id) }
  }

  /// Whether what an operation waits for matters to a queue that is at rest: not where nobody waits for the operation
  /// in its turn, and no such queue holds it.
  private static func matters(_ core: OperationCore, _ state: State) -> Bool {
    if state.watchers.isEmpty { return false }
    return core.isWaitedFor || core.hostID.map { state.watchers[$0] != nil } == true
  }

  private static func takeWatchers(_ state: inout State) -> [Watcher] {
    if state.watchers.isEmpty { return [] }
    defer { state.watchers = [:] }
    return Array(state.watchers.values)
  }

  private static func tell(_ watchers: [Watcher]) {
    for watcher in watchers { watcher.host?.graphChanged() }
  }
}
