import StructuredOperations

extension AsyncOperation<Int> {
  /// The value, or -1 where the wait for it could never end.
  nonisolated func valueOrDeadlock() async throws -> Int {
    do { return try await value } catch OperationError.waitWouldDeadlock { return -1 }
  }
}
