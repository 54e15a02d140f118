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

/// A pointer with a separate value for each thread, nil at first.
struct ThreadLocalPointer: Sendable {
  #if os(WASI)
    /// Unchecked, since this platform has one thread; builds for its variant with threads are not supported.
    private final class Cell: @unchecked Sendable { var value: UnsafeMutableRawPointer? }

    private let cell = Cell()

    var value: UnsafeMutableRawPointer? {
      get { cell.value }
      nonmutating set { cell.value = newValue }
    }
  #elseif os(Windows)
    private let key = {
      let key = TlsAlloc()
      precondition(key != .max, "the platform has no more keys for thread-local values")
      return key
    }()

    var value: UnsafeMutableRawPointer? {
      get { TlsGetValue(key) }
      nonmutating set { TlsSetValue(key, newValue) }
    }
  #else
    private let key = {
      var key = pthread_key_t()
      precondition(pthread_key_create(&key, nil) == 0, "the platform has no more keys for thread-local values")
      return key
    }()

    var value: UnsafeMutableRawPointer? {
      get { pthread_getspecific(key) }
      nonmutating set { pthread_setspecific(key, newValue) }
    }
  #endif
}
