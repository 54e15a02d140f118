extension SystemError {
  /// Whether the system lacked descriptors, processes or memory, so that the same call may succeed later.
  var isShortage: Bool { [EMFILE, ENFILE, EAGAIN, ENOMEM].contains(code) }
}
