/// Operations that a thread is to escalate, the next one last.
///
/// To escalate a task has the runtime call the task's handlers, under its lock of that task. If the task awaits an operation, its
/// handler has that escalated, whose body may await another one. Each of these steps would be within the one before, with one lock
/// more. So what handlers ask for while their thread escalates a task is collected here, and done once that task has been let go.
///
/// Example: the body of A awaits B, and the handler by which the body of B is cancelled cancels A. One thread escalates A; another one
/// cancels B. If the first went on to the task of B with the lock of A's task held, and the other one to the task of A with that of
/// B's, they would wait for each other for ever.
struct PendingEscalations {
  typealias Item = (storage: OperationStorage, priority: UInt8)

  /// What a handler has asked for, the first one last.
  private typealias Request = (storages: [OperationStorage], priority: UInt8)

  private var items: [Item] = []

  mutating func append(_ storages: [OperationStorage], to priority: UInt8) {
    items += storages.map { ($0, priority) }
  }

  mutating func popLast() -> Item? { items.popLast() }

  /// Escalates a task, and collects what its handlers ask for: what the first one asks for comes first.
  mutating func collect(_ escalateTask: () -> Void) {
    var requests: [Request] = []
    // The pointer is used by this thread alone, in calls from `escalateTask`: it is taken back before it goes.
    withUnsafeMutablePointer(to: &requests) { requests in
      let outer = Self.requests.value
      Self.requests.value = UnsafeMutableRawPointer(requests)
      escalateTask()
      Self.requests.value = outer
    }
    for request in requests.reversed() { append(request.storages, to: request.priority) }
  }

  /// Collects operations to be escalated, the first one last, where the calling thread escalates a task.
  ///
  /// - Returns: Whether it does.
  static func collect(_ storages: () -> [OperationStorage], to priority: UInt8) -> Bool {
    guard let requests = requests.value?.assumingMemoryBound(to: [Request].self) else { return false }
    requests.pointee.append((storages(), priority))
    return true
  }

  /// What the handlers ask for of the task that the calling thread escalates; nil where it escalates none.
  private static let requests = ThreadLocalPointer()
}
