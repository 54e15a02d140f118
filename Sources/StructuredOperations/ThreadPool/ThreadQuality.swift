#if canImport(Darwin)
  import Darwin
#endif

/// The quality of service of a thread: how soon Apple's systems have it run, and how much they throttle it.
///
/// Threads of other systems have none. Those of the cooperative pool get theirs from the runtime; those of ``OperationThreadPool``
/// belong to the library.
enum ThreadQuality: Equatable, Sendable {
  case background, utility, `default`, userInitiated, userInteractive

  /// That of a job's priority: between two levels the lower one, and the default of one that is not specified.
  init(rawPriority: UInt8) {
    self =
      switch rawPriority {
      case 0: .default
      case 33...: .userInteractive
      case TaskPriority.high.rawValue...: .userInitiated
      case TaskPriority.medium.rawValue...: .default
      case TaskPriority.low.rawValue...: .utility
      default: .background
      }
  }

  #if canImport(Darwin)
    /// Gives the calling thread this quality for the duration of a closure, and the default one then.
    ///
    /// Otherwise a thread whose last job was of low priority would come late to the next one, however urgent.
    func apply(to body: () -> Void) {
      if self == .default { return body() }
      pthread_set_qos_class_self_np(platformClass, 0)
      defer { pthread_set_qos_class_self_np(QOS_CLASS_DEFAULT, 0) }
      body()
    }

    private var platformClass: qos_class_t {
      switch self {
      case .background: QOS_CLASS_BACKGROUND
      case .utility: QOS_CLASS_UTILITY
      case .default: QOS_CLASS_DEFAULT
      case .userInitiated: QOS_CLASS_USER_INITIATED
      case .userInteractive: QOS_CLASS_USER_INTERACTIVE
      }
    }
  #endif
}
