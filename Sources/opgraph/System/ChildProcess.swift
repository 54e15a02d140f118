#if os(Linux)
  /// What the system says about the processes that this one is the parent of.
  enum ChildProcess {
    /// One that has exited, and has not been reaped, which this does not do either; nil if there is none.
    static var exited: pid_t? {
      var information = siginfo_t()
      while waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) != 0 {
        guard errno == EINTR else { return nil }
      }
      // A macro in C.
      #if canImport(Musl)
        let id = information.__si_fields.__si_common.__first.__piduid.si_pid
      #else
        let id = information._sifields._kill.si_pid
      #endif
      return id == 0 ? nil : id
    }
  }
#endif
