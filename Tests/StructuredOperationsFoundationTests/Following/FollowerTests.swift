import StructuredOperations
import Testing
import TestSupport

@testable import StructuredOperationsFoundation

@Suite("Follower", .hangGuard)
struct FollowerTests {
  @Test("is given each snapshot, in order")
  func follows() async throws {
    let seen = Locked<[OperationState]>([])
    let ended = Gate()
    let operation = AsyncOperation {}
    let follower = Follower(operation.states) { snapshot in
      seen.append(snapshot.state)
      if snapshot.isFinished { ended.open() }
    }
    try await operation.start()
    await ended.wait()
    withExtendedLifetime(follower) { #expect(seen.current == [.ready, .executing, .finished]) }
  }

  @Test("leaves nothing behind when it is let go of, though what it follows goes on")
  func letGo() async {
    let gone = Gate()
    let operation = AsyncOperation {}
    func follow() {
      let canary = Canary(gone)
      _ = Follower(operation.states) { _ in canary.sing() }
    }
    follow()
    await gone.wait()
    #expect(!operation.isFinished)
  }

  @Test("does not keep what it follows")
  func keeps() async {
    func follow() -> (Follower, Weak) {
      let operation = AsyncOperation {}
      return (Follower(operation.states) { _ in }, Weak(operation))
    }
    let (follower, operation) = follow()
    #expect(await eventually { operation.object == nil })
    withExtendedLifetime(follower) {}
  }
}
