import Foundation
import StructuredOperations
import StructuredOperationsFoundation
import Testing
import TestSupport

/// A program of which one half has been ported: the graph runs through both worlds, in queues of both kinds.
///
/// ```
/// fetch (old) ─> parse (new) ─┬─> store (new) ──> report (old) ─> notify (new)
/// settings (old) ─────────────┘
/// ```
@Suite("Migration", .hangGuard)
struct MigrationTests {
  /// The graph, with everything that a test looks at.
  struct Graph {
    let order = Locked<[String]>([])
    let fetch = OldOperation()
    let settings: Operation
    let newFetch: AsyncOperation<Int>
    let newSettings: AsyncOperation<Void>
    let parse: AsyncOperation<Int>
    let store: AsyncOperation<Int>
    let oldStore: FoundationOperation<Int>
    let report: BlockOperation
    let newReport: AsyncOperation<Void>
    let notify: AsyncOperation<Int>

    init() async throws {
      let order = order
      settings = BlockOperation { order.append("settings") }
      newFetch = AsyncOperation(running: fetch, name: "fetch") { old in
        order.append("fetch")
        guard let result = old.result else { throw Failure(code: -1) }
        return try result.get()
      }
      newSettings = AsyncOperation(running: settings, name: "settings")
      parse = AsyncOperation(after: newFetch, newSettings, name: "parse") { number, _ in
        order.append("parse")
        return number * 2
      }
      store = AsyncOperation(after: parse, name: "store") { number in
        await Task.yield()
        order.append("store")
        return number + 1
      }
      let oldStore = FoundationOperation(store)
      self.oldStore = oldStore
      report = BlockOperation { order.append("report \(oldStore.error == nil ? "of success" : "of failure")") }
      report.addDependency(oldStore)
      newReport = AsyncOperation(running: report, name: "report")
      notify = AsyncOperation(name: "notify") {
        order.append("notify")
        return 1
      }
      try await notify.addDependency(newReport)
    }

    /// - Parameter width: That of both queues.
    func run(width: Int) async {
      let oldQueue = OperationQueue()
      oldQueue.maxConcurrentOperationCount = width
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
      await queue.add(newFetch, newSettings, parse, newReport, notify)
      oldQueue.addOperation(oldStore)
    }
  }

  @Test("every operation runs once, after what it depends on in either world", arguments: [1, 2, 8])
  func success(width: Int) async throws {
    let graph = try await Graph()
    await graph.run(width: width)
    await graph.fetch.begun.wait()
    #expect(!graph.order.current.contains("parse"))
    graph.fetch.end(.success(20))
    #expect(try await graph.notify.value == 1)
    #expect(try await graph.store.value == 41)
    let order = graph.order.current
    #expect(Set(order.prefix(2)) == ["fetch", "settings"])
    #expect(order.dropFirst(2) == ["parse", "store", "report of success", "notify"])
    guard case .success(41) = graph.oldStore.outcome else {
      Issue.record("\(String(describing: graph.oldStore.outcome))")
      return
    }
  }

  @Test("an error of an old operation passes through new ones into an old one, which names its root")
  func failure() async throws {
    let graph = try await Graph()
    await graph.run(width: 2)
    await graph.fetch.begun.wait()
    graph.fetch.end(.failure(Failure(code: 4)))
    #expect(try await graph.notify.value == 1)
    #expect(!graph.order.current.contains("parse"))
    #expect(!graph.order.current.contains("store"))
    #expect(graph.order.current.contains("report of failure"))
    let root = (graph.oldStore.error as? OperationError)?.root
    #expect(root?.operation === graph.newFetch)
    #expect(root?.underlying as? Failure == Failure(code: 4))
  }

  @Test("the cancellation of a new operation passes through old and new ones")
  func cancellation() async throws {
    let graph = try await Graph()
    await graph.run(width: 2)
    await graph.fetch.begun.wait()
    graph.newFetch.cancel()
    #expect(graph.fetch.isCancelled)
    graph.fetch.end(nil)
    #expect(try await graph.notify.value == 1)
    #expect(graph.newFetch.outcome?.isCancelled == true)
    #expect(graph.order.current.contains("report of failure"))
    let root = (graph.oldStore.error as? OperationError)?.root
    #expect(root?.operation === graph.newFetch)
    #expect(root?.underlying is CancellationError)
  }

  @Test("a chain that changes worlds at each step runs in order")
  func chain() async throws {
    let order = Locked<[Int]>([])
    let oldQueue = OperationQueue()
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    var last: AsyncOperation<Void>?
    for step in stride(from: 0, to: 40, by: 2) {
      let new = AsyncOperation { order.append(step) }
      if let last { try await new.addDependency(last) }
      let bridge = FoundationOperation(new)
      let old = BlockOperation { order.append(step + 1) }
      old.addDependency(bridge)
      let next = AsyncOperation(running: old)
      try await next.addDependency(new)
      await queue.add(next)
      oldQueue.addOperation(bridge)
      last = next
    }
    try await last?.value
    #expect(order.current == Array(0..<40))
  }

  @Test("nothing of a graph that has run is kept by either world")
  func leaks() async throws {
    func run() async throws -> [Weak] {
      let graph = try await Graph()
      await graph.run(width: 2)
      await graph.fetch.begun.wait()
      graph.fetch.end(.success(1))
      _ = try await graph.notify.value
      return [
        Weak(graph.fetch), Weak(graph.settings), Weak(graph.newFetch), Weak(graph.newSettings), Weak(graph.parse),
        Weak(graph.store), Weak(graph.oldStore), Weak(graph.report), Weak(graph.newReport), Weak(graph.notify),
      ]
    }
    for operation in try await run() { #expect(await eventually { operation.object == nil }) }
  }
}
