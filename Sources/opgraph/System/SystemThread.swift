/// Makes threads, and reports when the system refuses to: Foundation's `Thread` then silently runs nothing.
enum SystemThread {
  private final class Start {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }

    /// Takes over the reference that ``SystemThread/start(_:)`` has put into the argument.
    static func run(_ argument: UnsafeMutableRawPointer?) {
      if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body() }
    }
  }

  /// Calls `body` on a new thread; throws ``SystemError``.
  static func start(_ body: @escaping @Sendable () -> Void) throws {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // The default of Musl is 128 KB.
    pthread_attr_setstacksize(&attributes, 8 << 20)

    let argument = Unmanaged.passRetained(Start(body)).toOpaque()
    #if canImport(Darwin) || canImport(Musl)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    // A literal: whether the argument and the result may be nil differs between platforms.
    let code = pthread_create(
      &thread, &attributes,
      {
        Start.run($0)
        return $0
      }, argument)
    guard code == 0 else {
      Unmanaged<Start>.fromOpaque(argument).release()
      throw SystemError(code: code, "cannot make a thread")
    }
  }
}
