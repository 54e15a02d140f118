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

/// Identifies a thread while it is running.
struct ThreadIdentity: Equatable, Sendable {
  private let number: UInt

  static var current: Self {
    #if os(WASI)
      Self(number: 0)
    #elseif os(Windows)
      Self(number: UInt(GetCurrentThreadId()))
    #elseif canImport(Glibc)
      Self(number: UInt(pthread_self()))
    #else
      Self(number: UInt(bitPattern: pthread_self()))
    #endif
  }
}
