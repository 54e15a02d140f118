import Foundation
import StructuredOperationsFoundation
import TestSupport

extension Operation {
  /// Suspends until the operation has finished, by way of one that depends on it.
  func end() async {
    let gate = Gate()
    let watcher = BlockOperation { gate.open() }
    watcher.addDependency(self)
    OperationQueue().addSafely(watcher)
    await gate.wait()
  }
}
