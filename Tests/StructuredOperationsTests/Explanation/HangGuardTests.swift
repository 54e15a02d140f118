import StructuredOperations
import TestSupport
import Testing

@Suite("Hang guard", .hangGuard)
struct HangGuardTests {
  @Test("Tests that hang tell why the operations of their queues do not finish")
  func explanations() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = AsyncOperationQueue(name: "disk")
      HangGuard.explain(queue, AsyncOperationQueue(name: "idle"))
      let upload = AsyncOperation(name: "upload") {}
      try await upload.addDependency(AsyncOperation(name: "login") {})
      await queue.add(upload)
      HangGuard.watch("an upload without a login", seconds: 1)
      await upload.waitUntilFinished()
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("an upload without a login"))
    #expect(message.contains(#""upload" waits for "login"; "login" is in no queue and has not been started."#))
    #expect(!message.contains("idle"))
  }
}
