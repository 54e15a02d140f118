#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(WinSDK)
  import WinSDK
#endif

#if !os(WASI)
  /// Puts one thread to sleep until another wakes it.
  ///
  /// A call of ``wake()`` before ``park(microseconds:)`` is not lost: the thread then does not sleep.
  ///
  /// Unchecked, because the platform's lock and condition are pointers in Swift. The pointers never change and live as
  /// long as this object, and the flag is accessed only under the lock.
  final class ThreadParker: @unchecked Sendable {
    #if os(Windows)
      private let lock = UnsafeMutablePointer<SRWLOCK>.allocate(capacity: 1)
      private let condition = UnsafeMutablePointer<CONDITION_VARIABLE>.allocate(capacity: 1)
    #else
      private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    #endif
    private var isWoken = false

    init() {
      #if os(Windows)
        InitializeSRWLock(lock)
        InitializeConditionVariable(condition)
      #else
        lock.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(lock, nil)
        #if canImport(Darwin)
          pthread_cond_init(condition, nil)
        #else
          // Not affected by changes of the system time.
          var attributes = pthread_condattr_t()
          pthread_condattr_init(&attributes)
          pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
          pthread_cond_init(condition, &attributes)
          pthread_condattr_destroy(&attributes)
        #endif
      #endif
    }

    deinit {
      #if !os(Windows)
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(lock)
      #endif
      condition.deallocate()
      lock.deallocate()
    }

    func wake() {
      #if os(Windows)
        AcquireSRWLockExclusive(lock)
        isWoken = true
        ReleaseSRWLockExclusive(lock)
        WakeConditionVariable(condition)
      #else
        pthread_mutex_lock(lock)
        isWoken = true
        pthread_mutex_unlock(lock)
        pthread_cond_signal(condition)
      #endif
    }

    /// Blocks the calling thread until ``wake()`` is called or the time has passed.
    ///
    /// - Returns: Whether ``wake()`` has been called.
    func park(microseconds: Int) -> Bool {
      #if os(Windows)
        AcquireSRWLockExclusive(lock)
        defer { ReleaseSRWLockExclusive(lock) }
        let milliseconds = DWORD(max(1, microseconds / 1_000))
        while !isWoken, SleepConditionVariableSRW(condition, lock, milliseconds, 0) {}
      #else
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        #if canImport(Darwin)
          var duration = timespec(tv_sec: microseconds / 1_000_000, tv_nsec: microseconds % 1_000_000 * 1_000)
          while !isWoken, pthread_cond_timedwait_relative_np(condition, lock, &duration) == 0 {}
        #else
          var deadline = timespec()
          clock_gettime(CLOCK_MONOTONIC, &deadline)
          let nanoseconds = deadline.tv_nsec + microseconds % 1_000_000 * 1_000
          deadline.tv_sec += microseconds / 1_000_000 + nanoseconds / 1_000_000_000
          deadline.tv_nsec = nanoseconds % 1_000_000_000
          while !isWoken, pthread_cond_timedwait(condition, lock, &deadline) == 0 {}
        #endif
      #endif
      defer { isWoken = false }
      return isWoken
    }
  }
#endif
