import StructuredOperations
import Testing

@testable import opgraph

@Suite("ExplanationText")
struct ExplanationTextTests {
  /// That of a queue in which nothing can begin.
  private func text(_ names: [String]) async throws -> String {
    let operations = names.map { AsyncOperation<Void>(name: $0) {} }
    for (one, other) in zip(operations, operations.dropFirst()) { try await other.addDependency(one) }
    let queue = AsyncOperationQueue(name: "q", isSuspended: true)
    await queue.add(operations)
    let text = ExplanationText(await queue.explanation).description
    await queue.cancelAllOperations()
    await queue.resume()
    return text
  }

  @Test("Each one that waits has a line with the cause")
  func waiting() async throws {
    let text = try await text(["a", "b"])
    #expect(
      text.split(separator: "\n") == [
        "0 operations are running, 2 wait:", #"  "a" is in the queue "q", which is suspended."#,
        #"  "b" is in the queue "q", which is suspended, and waits for "a"; "a" is in the queue "q", which is suspended."#,
      ])
  }

  @Test("Of many the first ones are told")
  func many() async throws {
    let lines = try await text((1...30).map(String.init)).split(separator: "\n")
    #expect(lines.count == 22)
    #expect(lines.first == "0 operations are running, 30 wait:")
    #expect(lines.last == "  … and 10 more")
  }

  @Test("What runs is counted only")
  func running() async throws {
    let (began, beginning) = AsyncStream.makeStream(of: Void.self)
    let (end, ending) = AsyncStream.makeStream(of: Void.self)
    let operation = AsyncOperation<Void>(name: "a") {
      beginning.finish()
      for await _ in end {}
    }
    let queue = AsyncOperationQueue()
    await queue.add([operation])
    for await _ in began {}
    #expect(ExplanationText(await queue.explanation).description == "1 operation is running, 0 wait")
    ending.finish()
    await operation.waitUntilFinished()
  }

  @Test("One is told as one")
  func single() async throws {
    #expect(try await text(["a"]).hasPrefix("0 operations are running, 1 waits:\n"))
  }
}
