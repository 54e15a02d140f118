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
  /// Creates threads with the platform's own interface.
  enum PlatformThread {
    private final class Start {
      let body: @Sendable () -> Void

      init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
      }

      static func run(_ argument: UnsafeMutableRawPointer?) {
        if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body() }
      }
    }

    /// Starts a detached thread.
    ///
    /// - Returns: False if the platform could not create one.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
      let argument = Unmanaged.passRetained(Start(body)).toOpaque()
      let isStarted = start(with: argument)
      if !isStarted { Unmanaged<Start>.fromOpaque(argument).release() }
      return isStarted
    }

    #if os(Windows)
      static var coreCount: Int {
        var information = SYSTEM_INFO()
        GetSystemInfo(&information)
        return Int(information.dwNumberOfProcessors)
      }

      private static func start(with argument: UnsafeMutableRawPointer) -> Bool {
        let routine: LPTHREAD_START_ROUTINE = { argument in
          Start.run(argument)
          return 0
        }
        // Without the flag the size is what is committed at once.
        let flags = DWORD(STACK_SIZE_PARAM_IS_A_RESERVATION)
        guard let thread = CreateThread(nil, SIZE_T(stackSize), routine, argument, flags, nil) else { return false }
        CloseHandle(thread)
        return true
      }
    #else
      static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

      private static func start(with argument: UnsafeMutableRawPointer) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)
        #if canImport(Darwin) || canImport(Musl)
          var thread: pthread_t?
        #else
          var thread = pthread_t()
        #endif
        // A literal, and what it returns is its argument: whether either may be nil differs between platforms, and between
        // versions of Android. Nobody reads it.
        let code = pthread_create(
          &thread, &attributes,
          {
            Start.run($0)
            return $0
          }, argument)
        return code == 0
      }
    #endif

    /// In bytes, at least as large as in Foundation. The platform commits memory only as the stack grows.
    #if canImport(Darwin) || !_pointerBitWidth(_64)
      private static var stackSize: Int { 1 << 20 }
    #else
      private static var stackSize: Int { 8 << 20 }
    #endif
  }
#endif
