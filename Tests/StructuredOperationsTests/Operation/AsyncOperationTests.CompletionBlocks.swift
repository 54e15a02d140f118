import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationTests {
  @Suite("Completion blocks")
  struct CompletionBlocks {
    @Test("A block that was replaced, or whose operation never ran, is freed")
    func neverRun() async {
      let (replaced, unrun) = (Gate(), Gate())
      func make() async {
        let operation = AsyncOperation {}
        let canaries = (Canary(replaced), Canary(unrun))
        await operation.setCompletionBlock { [canary = canaries.0] in canary.sing() }
        await operation.setCompletionBlock { [canary = canaries.1] in canary.sing() }
      }
      await make()
      #expect(replaced.isOpen)
      #expect(unrun.isOpen)
    }
  }
}
