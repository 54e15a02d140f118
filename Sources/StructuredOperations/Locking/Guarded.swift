#if TSAN
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #endif
#else
  import Synchronization
#endif

/// A value protected by a lock, the only kind of lock in the library.
///
/// Closures passed to ``withLock(_:)`` must be short and must not run user code: no `deinit` of a body, no handler, no
/// call of an executor, no cancellation of a task, no resumption of a continuation. They return what is to be done, and
/// the caller does it after the lock has been released.
#if !TSAN
  package struct Guarded<Value: Sendable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: consuming Value) {
      mutex = Mutex(value)
    }

    @inline(__always)
    package borrowing func withLock<Result: Sendable & ~Copyable>(_ body: (inout Value) -> Result) -> Result {
      mutex.withLock { body(&$0) }
    }
  }
#else
  // For builds with the thread sanitizer and `-DTSAN`. The sanitizer does not see the contended path of `Mutex`, which
  // is in a library without instrumentation, and would report every access to a value behind one.
  //
  // Unchecked, because of the pointers. They never change, the value is accessed only between lock and unlock, and both
  // are freed by their only owner.
  package struct Guarded<Value: Sendable>: ~Copyable, @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    package init(_ value: consuming Value) {
      mutex.initialize(to: pthread_mutex_t())
      pthread_mutex_init(mutex, nil)
      self.value.initialize(to: value)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    package borrowing func withLock<Result: Sendable & ~Copyable>(_ body: (inout Value) -> Result) -> Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body(&value.pointee)
    }
  }
#endif
