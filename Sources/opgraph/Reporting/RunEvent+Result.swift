extension RunEvent {
  /// The command that has ended with the event, if any.
  var result: (id: String, CommandResult)? {
    switch self {
    case .ended(let id, let result), .retrying(let id, let result, attempt: _, delay: _): (id, result)
    case .started, .resumed, .output, .notRun: nil
    }
  }
}
