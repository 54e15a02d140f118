// The top level of a program that awaits something. There, too, the compiler takes the forms without `await`.

import StructuredOperations

let queue = AsyncOperationQueue()
let number = AsyncOperation { 1 }
queue.add(number)
queue.add([number])
queue.add { 1 }
queue.add { await Task.yield() }
queue.addOnMainActor { 1 }
queue.addBarrier {}
await queue.add(after: number) { $0 }
await queue.add(after: [number]) { $0.count }
_ = AsyncOperation(afterOutcomesOf: number) { number in 1 }
_ = try await OperationThreadPool.shared.run { 1 }
