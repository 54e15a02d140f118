import StructuredOperations

extension AsyncOperation<Int> {
  /// The value, or -1 if waiting for it would deadlock.
  nonisolated func valueOrDeadlock() async throws -> Int {
    do { return try await value } catch OperationError.waitWouldDeadlock { return -1 }
  }
}
