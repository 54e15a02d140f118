import Synchronization

#if TSAN
  import StructuredOperations
#endif

/// A value behind a lock of which a thread can find out at once that another one has it.
///
/// A `Mutex` alone is not enough: on Linux, to try a mutex that is taken calls the kernel.
struct JournalLock<Value: Sendable>: ~Copyable, Sendable {
  private let lock: JournalMutex<Value>
  /// Whether a thread has the lock; it may be false in the moments of taking and releasing it.
  private let isTaken = Atomic(false)

  init(_ value: consuming Value) { lock = JournalMutex(value) }

  /// Waits for the lock.
  @inline(__always)
  borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { holding(&$0, body) }
  }

  /// Does not wait: returns nil where a thread has the lock, be it this one.
  ///
  /// That thread sees, once it has released the lock, what this one has stored before in atomics that both access with
  /// sequential consistency. While it is releasing the lock that takes more than `Mutex` promises: that a try which fails, and a
  /// release, are not reordered with such accesses. On x86-64 and arm64 they are not.
  @inline(__always)
  borrowing func withLockIfAvailable<Result: Sendable>(_ body: (inout Value) -> Result) -> Result? {
    if isTaken.load(ordering: .sequentiallyConsistent) { return nil }
    return lock.withLockIfAvailable { holding(&$0, body) }
  }

  @inline(__always)
  private borrowing func holding<Result: Sendable>(_ value: inout Value, _ body: (inout Value) -> Result) -> Result {
    isTaken.store(true, ordering: .relaxed)
    defer { isTaken.store(false, ordering: .sequentiallyConsistent) }
    return body(&value)
  }
}
