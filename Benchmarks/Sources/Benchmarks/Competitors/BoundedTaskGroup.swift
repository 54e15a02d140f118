/// The floor: a task group with a window of children, as one writes it by hand where no queue is wanted.
///
/// It has no operations, so no state, dependencies, priorities or cancellation of a single one.
enum BoundedTaskGroup {
  static func run(count: Int, width: Int, body: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        if index >= width { await group.next() }
        group.addTask(operation: body)
      }
    }
  }
}
