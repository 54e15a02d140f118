import StructuredOperations

extension Workload {
  /// Operations each of which has its `states` read to the end by a number of tasks.
  ///
  /// The task group's bodies yield the states ready, executing and finished to one stream per reader. Foundation
  /// supports observers (key-value observing) on Apple's platforms alone.
  static func observers(_ scale: Options.Scale, observerCount: Int) -> Workload {
    let count = scale.observedCount(observerCount)
    let width = 2
    return Workload(
      name: "states/\(observerCount)-observers", rounds: scale.rounds, operationCount: count,
      timing: [
        .taskGroup: { counter in
          await withDiscardingTaskGroup { readers in
            await withTaskGroup(of: Void.self) { group in
              for index in 0..<count {
                var writers: [AsyncStream<State>.Continuation] = []
                for _ in 0..<observerCount {
                  let (states, writer) = AsyncStream.makeStream(of: State.self)
                  writer.yield(.ready)
                  writers.append(writer)
                  readers.addTask { for await _ in states {} }
                }
                if index >= width { await group.next() }
                group.addTask { [writers] in
                  for writer in writers { writer.yield(.executing) }
                  counter.increment()
                  for writer in writers {
                    writer.yield(.finished)
                    writer.finish()
                  }
                }
              }
            }
          }
        },
        .asyncOperationQueue: { counter in
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
          await withDiscardingTaskGroup { readers in
            for _ in 0..<count {
              let operation = AsyncOperation(start: { counter.increment() })
              for _ in 0..<observerCount {
                let states = operation.states
                readers.addTask { for await _ in states {} }
              }
              await queue.add(operation)
            }
          }
          await queue.waitUntilAllOperationsAreFinished()
        },
      ])
  }

  private enum State {
    case ready
    case executing
    case finished
  }
}
