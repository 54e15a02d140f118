import StructuredOperations

extension OperationProtocol {
  /// Whether the operation finishes in time.
  nonisolated func finishes() async -> Bool {
    let signal = Signal()
    Task.detached {
      await self.waitUntilFinished()
      signal.open()
    }
    return await signal.comes()
  }
}

extension AsyncOperationQueue {
  init(_ width: Int, isSuspended: Bool = false) {
    self.init(maxConcurrentOperationCount: width, isSuspended: isSuspended)
  }
}

/// Gives everything in this package's queues that can run the time to do so.
func settle() async {
  for _ in 0..<20 {
    let queue = AsyncOperationQueue()
    await queue.addAndWait([AsyncOperation {}, AsyncOperation { await Task.yield() }])
  }
}

/// The error that a closure throws, named after its case.
func error(of body: () async throws -> Void) async -> String {
  do {
    try await body()
    return "no error"
  } catch let error as OperationError {
    return "throws \(word(for: error))"
  } catch {
    return "throws \(error)"
  }
}

/// The name of the case; the longest one is shortened, since a table has no room for it.
private func word(for error: OperationError) -> String {
  switch error {
  case .notReady: "notReady"
  case .alreadyExecuting: "alreadyExecuting"
  case .alreadyEnqueued: "alreadyEnqueued"
  case .alreadyFinished: "alreadyFinished"
  case .dependencyOnSelf: "dependencyOnSelf"
  case .dependencyCycle(let path): "dependencyCycle \(path.map { $0.name ?? "?" }.joined(separator: " "))"
  case .dependencyFailed: "dependencyFailed"
  case .abandoned: "abandoned"
  case .blocksSealed: "blocksSealed"
  case .invalidMaxConcurrentOperationCount(let count): "invalidMax…Count(\(count))"
  case .waitWouldDeadlock: "waitWouldDeadlock"
  case .queueClosed: "queueClosed"
  case .costExceedsLimit: "costExceedsLimit"
  case .timedOut: "timedOut"
  }
}

extension AsyncOperation {
  /// How the operation ended, in words.
  nonisolated var ending: String {
    switch outcome {
    case .success: "success"
    case .cancelled: "cancelled"
    case .failure(let error as OperationError): "failure \(word(for: error))"
    case .failure(let error): "failure \(error)"
    case nil: "unfinished"
    }
  }
}
