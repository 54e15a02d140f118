import Foundation
import StructuredOperations

extension Scenarios {
  static let waiting = [
    Scenario("WT-01", "Three who wait for an operation all return, and a fourth who comes late") {
      let log = Log()
      let blocker = OldBlocker()
      let returned = (0..<3).map { _ in Signal() }
      OperationQueue().addOperation(blocker.operation)
      for signal in returned {
        Thread {
          blocker.operation.waitUntilFinished()
          log("returned")
          signal.open()
        }.start()
      }
      blocker.begun.comesBlocking()
      blocker.release.open()
      for signal in returned { signal.comesBlocking() }
      blocker.operation.waitUntilFinished()
      log("returned")
      return log.order
    } ours: {
      let log = Log()
      let blocker = Blocker()
      await AsyncOperationQueue().add(blocker.operation)
      await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            await blocker.operation.waitUntilFinished()
            log("returned")
          }
        }
        await blocker.begun.comes()
        blocker.release.open()
      }
      await blocker.operation.waitUntilFinished()
      log("returned")
      return log.order
    },
    Scenario("WT-04", "Waiting for an operation that nobody runs returns") {
      let returned = Signal()
      let operation = BlockOperation {}
      Thread {
        operation.waitUntilFinished()
        returned.open()
      }.start()
      return returned.comesBlocking().word
    } ours: {
      await AsyncOperation {}.finishes().word
    },
  ]
}
