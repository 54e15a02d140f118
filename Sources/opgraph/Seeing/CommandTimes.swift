/// How long the commands of a run took, as its events tell; operations are numbers here, in the order of the graph.
///
/// Every run notes them, so they are kept small: two numbers for each operation.
struct CommandTimes: Sendable {
  private let numbers: [String: Int]
  /// Of all attempts of each operation; zero for those that did not run.
  private(set) var work: [Duration]
  /// Between the attempts, when an operation has no slot; only of those that have several.
  private var pauses: [Int: Duration] = [:]

  init(_ graph: Graph) {
    numbers = Dictionary(uniqueKeysWithValues: zip(graph.nodes.lazy.map(\.id), graph.nodes.indices))
    work = Array(repeating: .zero, count: graph.nodes.count)
  }

  mutating func received(_ event: RunEvent) {
    switch event {
    case .retrying(let id, let result, attempt: _, let delay):
      guard let number = numbers[id] else { return }
      work[number] += result.duration
      pauses[number, default: .zero] += delay
    case .ended(let id, let result):
      guard let number = numbers[id] else { return }
      work[number] += result.duration
    case .started, .resumed, .output, .notRun:
      break
    }
  }

  func number(of id: String) -> Int? { numbers[id] }

  func pauses(of number: Int) -> Duration { pauses[number] ?? .zero }
}
