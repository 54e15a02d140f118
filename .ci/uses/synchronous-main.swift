// The top level of a program that awaits nothing.

import StructuredOperations

let queue = AsyncOperationQueue()
let number = AsyncOperation { 1 }
let nothing = AsyncOperation(after: number) { _ in }
queue.add(number)
queue.add(number, nothing)
queue.add([number])
queue.add { 1 }
queue.add { await Task.yield() }
queue.addOnMainActor { 1 }
queue.addBarrier {}
_ = AsyncOperation(after: [number]) { $0.count }
_ = AsyncOperation(afterOutcomesOf: number, nothing) { number, nothing in 1 }
_ = AsyncOperation.onMainActor { 1 }
