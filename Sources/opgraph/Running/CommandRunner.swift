import Foundation
import StructuredOperations

/// Makes the operations that run commands, and tells what happens to them.
///
/// Starts and ends are told by the bodies themselves, not by observers of `states` or by completion blocks: those come
/// beside whatever the finish sets going, so a dependent's start could be told before the end that it waited for.
struct CommandRunner: Sendable {
  let events: AsyncStream<RunEvent>.Continuation
  let running: RunningCommands

  func operation(for node: Graph.Node) -> AsyncOperation<Void> {
    AsyncOperation<Void>(name: node.id, queuePriority: node.priority) { completion in
      events.yield(.started(id: node.id))
      do {
        let process = try CommandProcess(command: node.run, directory: node.directory)
        running.insert(process)
        completion.onCancel { _ in process.send(SIGTERM) }
        process.whenEnded { result in
          running.remove(process)
          finish(node, with: result, completion)
        }
      } catch {
        let ending = CommandEnding.notStarted(error as? SystemError ?? SystemError())
        finish(node, with: CommandResult(ending: ending, wasSignalled: false, duration: .zero, output: []), completion)
      }
    }
  }

  private func finish(_ node: Graph.Node, with result: CommandResult, _ completion: OperationCompletion<Void>) {
    // Before the finish, which sets the dependents going.
    events.yield(.ended(id: node.id, result))
    switch result.verdict {
    case .done: completion.finish()
    case .failed: completion.finish(throwing: result.ending)
    case .cancelled: completion.finish(throwing: CancellationError())
    }
  }
}
