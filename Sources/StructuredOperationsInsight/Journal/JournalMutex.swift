// The thread sanitizer does not see the contended path of `Mutex`; builds for it take the core's lock, which says more.
#if TSAN
  import StructuredOperations

  typealias JournalMutex = Guarded

  extension Guarded {
    /// Waits for the lock.
    borrowing func withLockIfAvailable<Result: Sendable>(_ body: (inout Value) -> Result) -> Result? { withLock(body) }
  }
#else
  import Synchronization

  typealias JournalMutex = Mutex
#endif
