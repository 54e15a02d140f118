import Foundation
import StructuredOperations

/// Makes operations that run commands and report their events.
///
/// Bodies report the events, because observers of `states` and completion blocks run concurrently with dependents: the
/// start of a dependent could be reported before the end of its dependency.
struct CommandRunner: Sendable {
  let events: AsyncStream<RunEvent>.Continuation
  let running: RunningCommands
  let loop: CommandLoop
  let spool: OutputSpool

  func operation(for node: Graph.Node) -> AsyncOperation<Void> {
    AsyncOperation<Void>(name: node.id, queuePriority: node.priority) { completion in
      events.yield(.started(id: node.id))
      do {
        let process = try running.start { try CommandProcess(command: node.run, directory: node.directory) }
        completion.onCancel { _ in process.send(SIGTERM) }
        loop.watch(process, output: CommandOutput(spool: spool)) { result in
          running.remove(process)
          finish(node, with: result, completion)
        }
      } catch {
        let ending = CommandEnding.notStarted(error as? SystemError ?? SystemError(code: ECANCELED))
        let isCancelled = error is CancellationError
        finish(
          node, with: CommandResult(ending: ending, wasSignalled: isCancelled, duration: .zero, output: nil), completion
        )
      }
    }
  }

  private func finish(_ node: Graph.Node, with result: CommandResult, _ completion: OperationCompletion<Void>) {
    // Before the operation finishes, after which dependents may start.
    events.yield(.ended(id: node.id, result))
    switch result.verdict {
    case .done: completion.finish()
    case .failed: completion.finish(throwing: result.ending)
    case .cancelled: completion.finish(throwing: CancellationError())
    }
  }
}
