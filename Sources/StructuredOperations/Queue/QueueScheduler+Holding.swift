extension QueueScheduler {
  /// Whether something would start, or stand in line for its limits, if starts were not held.
  ///
  /// - Parameter isAnyInLine: Whether something stood in line already; while starts are held it does not.
  mutating func isStartHeld(isAnyInLine: Bool = false) -> Bool {
    guard startsAreHeld, hasFreeSlot else { return false }
    return isAnyInLine || hasReady() || dueBarrier?.1.phase == .ready
  }
}
