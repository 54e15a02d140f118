import Synchronization

#if TSAN
  @_silgen_name("__tsan_acquire") private func threadSanitizerAcquire(_ address: UnsafeRawPointer)
  @_silgen_name("__tsan_release") private func threadSanitizerRelease(_ address: UnsafeRawPointer)
#endif

/// A value that one thread at a time may touch: the only kind of lock in the package.
///
/// What runs under it has to be short, and none of it may be the user's: no `deinit` of a body, no handler, no executor,
/// no cancellation of a task, no continuation resumed. Collect what is to be done and do it after.
///
/// Under `-DTSAN` it tells the thread sanitizer of its order, since the contended path of `Mutex` lies in a library
/// that the sanitizer does not see.
struct Guarded<Value: Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) {
    mutex = Mutex(value)
  }

  @inline(__always)
  borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { value in
      #if TSAN
        withUnsafePointer(to: &value) { threadSanitizerAcquire($0) }
        defer { withUnsafePointer(to: &value) { threadSanitizerRelease($0) } }
      #endif
      return body(&value)
    }
  }
}
