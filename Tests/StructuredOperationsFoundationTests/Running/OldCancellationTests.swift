import Testing

@testable import StructuredOperationsFoundation

@Suite("OldCancellationStateMachine")
struct OldCancellationTests {
  @Test("One of those who cancel calls cancel(), and the others do not")
  func once() {
    var machine = OldCancellationStateMachine<Int>()
    let (first, second) = (machine.cancel(isExecuting: false), machine.cancel(isExecuting: false))
    let waiters = machine.cancelled()
    let third = machine.cancel(isExecuting: false)
    #expect([first, second, third] == [true, false, false])
    #expect(waiters.isEmpty)
  }

  @Test("While it is added nobody calls cancel(); who has added it does so then")
  func adding() {
    var machine = OldCancellationStateMachine<Int>()
    let begins = machine.beginAdding()
    let calls = [machine.cancel(isExecuting: false), machine.cancel(isExecuting: false)]
    let callsAfterwards = machine.added()
    let third = machine.cancel(isExecuting: false)
    #expect(begins)
    #expect(calls == [false, false])
    #expect(callsAfterwards)
    #expect(!third)
  }

  @Test("While it is added, and its queue has begun with it already, cancel() is called at once")
  func executing() {
    var machine = OldCancellationStateMachine<Int>()
    let begins = machine.beginAdding()
    let calls = [machine.cancel(isExecuting: true), machine.cancel(isExecuting: true)]
    let waits = machine.wait(1)
    let callsAfterwards = machine.added()
    let waiters = machine.cancelled()
    #expect(begins)
    #expect(calls == [true, false])
    #expect(waits)
    #expect(!callsAfterwards)
    #expect(waiters == [1])
  }

  @Test("What was to be cancelled before its queue has begun with it, who adds it cancels")
  func executingLater() {
    var machine = OldCancellationStateMachine<Int>()
    let begins = machine.beginAdding()
    let calls = [machine.cancel(isExecuting: false), machine.cancel(isExecuting: true)]
    let callsAfterwards = machine.added()
    #expect(begins)
    #expect(calls == [false, false])
    #expect(callsAfterwards)
  }

  @Test("It is not added while cancel() is called, and is once that has returned")
  func cancelling() {
    var machine = OldCancellationStateMachine<Int>()
    let calls = machine.cancel(isExecuting: false)
    let begins = machine.beginAdding()
    let waits = [machine.wait(1), machine.wait(2)]
    let waiters = machine.cancelled()
    let waitsAfterwards = machine.wait(3)
    let (beginsAfterwards, callsAgain) = (machine.beginAdding(), machine.added())
    #expect(calls)
    #expect(!begins)
    #expect(waits == [true, true])
    #expect(waiters == [1, 2])
    #expect(!waitsAfterwards)
    #expect(beginsAfterwards)
    #expect(!callsAgain)
  }

  @Test("Where nobody has cancelled it meanwhile, it can be cancelled once it is added")
  func later() {
    var machine = OldCancellationStateMachine<Int>()
    let waits = machine.wait(1)
    let begins = machine.beginAdding()
    let callsAfterwards = machine.added()
    let calls = machine.cancel(isExecuting: false)
    #expect(!waits)
    #expect(begins)
    #expect(!callsAfterwards)
    #expect(calls)
  }
}
