import Foundation
import StructuredOperationsFoundation
import TestSupport

extension Operation {
  /// Suspends until an operation that depends on this one has run.
  func end() async {
    let gate = Gate()
    let watcher = BlockOperation { gate.open() }
    watcher.addDependency(self)
    OperationQueue().addSafely(watcher)
    await gate.wait()
  }
}
