import StructuredOperations
import Synchronization

/// Finds an order in which a graph could be run: that of a run with one command at a time.
///
/// Has a queue find it, whose operations do nothing, so that its rules for priorities need not be told twice.
struct RunPlan: Sendable {
  private final class Record: Sendable {
    private let numbers = Mutex<[Int]>([])

    func append(_ number: Int) {
      numbers.withLock { $0.append(number) }
    }

    var all: [Int] { numbers.withLock(\.self) }
  }

  let graph: Graph
  var upToDate = UpToDatePolicy()

  /// The nodes in that order, but those that are up to date.
  ///
  /// An operation is taken to run if one before it does, since nobody knows what that will do to files.
  func nodes() async -> [Graph.Node] {
    let record = Record()
    let operations = graph.nodes.indices.map { number in
      AsyncOperation<Void>(name: graph.nodes[number].id, queuePriority: graph.nodes[number].priority) {
        record.append(number)
      }
    }
    let byID = Dictionary(uniqueKeysWithValues: zip(graph.nodes.lazy.map(\.id), operations))
    do {
      for (node, operation) in zip(graph.nodes, operations) {
        try await operation.addDependencies(node.after.compactMap { byID[$0] }, requiring: .success)
      }
      try await withOperationQueue(maxConcurrentOperationCount: 1) { queue in await queue.add(operations) }
    } catch {
      preconditionFailure("a graph without cycles, whose operations do nothing, cannot be run: \(error)")
    }
    var upToDate = upToDate
    return record.all.map { graph.nodes[$0] }.filter { node in
      guard upToDate.decision(for: node, time: FileTime.init(ofFileAt:)) == .run else { return false }
      _ = upToDate.ended(node.id, isSuccess: true)
      return true
    }
  }
}
