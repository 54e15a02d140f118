/// Suspends the calling task until its continuation is resumed, unless there is nothing to wait for.
///
/// Not cancellable. A caller that waits for a condition checks it again afterwards, in a loop.
///
/// - Parameter register: Stores the continuation where the thread that resumes it finds it, usually under a lock.
///   Returns false if the condition has been met in the meantime: the task then resumes at once.
package nonisolated(nonsending) func suspendTask(
  registering register: (UnsafeContinuation<Void, Never>) -> Bool
) async {
  await withUnsafeContinuation { continuation in
    if !register(continuation) { continuation.resume() }
  }
}
