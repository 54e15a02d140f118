import StructuredOperations

extension Workload {
  /// Operations each of whose `states` is read to its end by so many tasks.
  ///
  /// The task group's bodies tell a stream for each reader what they are: ready, executing, finished. Foundation has
  /// observers of that kind on Apple's platforms alone.
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
