import Foundation
import TestSupport
import Testing

extension OldOperation {
  /// One that executes until its end is told.
  static func executing() async -> OldOperation {
    let operation = OldOperation()
    OperationQueue().addOperation(operation)
    await operation.begun.wait()
    return operation
  }
}

/// Expects that an operation that has finished is kept until its dependencies have, which Foundation has look at it.
func expectKept(_ finished: Weak, until dependencies: [OldOperation]) async {
  for dependency in dependencies {
    #if !canImport(Darwin)
      await Task.yield()
      #expect(finished.object != nil)
    #endif
    dependency.end(nil)
  }
  #expect(await eventually { finished.object == nil })
}
