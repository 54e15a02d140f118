#if TSAN
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #endif
#else
  import Synchronization
#endif

/// A value that one thread at a time may touch: the only kind of lock in the package.
///
/// What runs under it has to be short, and none of it may be the user's: no `deinit` of a body, no handler, no
/// executor, no cancellation of a task, no continuation resumed. Collect what is to be done and do it after.
#if !TSAN
  package struct Guarded<Value: Sendable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: consuming Value) {
      mutex = Mutex(value)
    }

    @inline(__always)
    package borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
      mutex.withLock { body(&$0) }
    }
  }
#else
  // For builds under the thread sanitizer, with `-DTSAN`: it does not see the contended path of `Mutex`, which lies in
  // a library that is not instrumented, and would report every value behind one.
  //
  // Unchecked, because of the pointers. The proof: they never change, the value is touched between lock and unlock
  // alone, and both go away with their only owner.
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

    package borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body(&value.pointee)
    }
  }
#endif
