extension OperationHistory {
  /// How long it would have taken if every queue had had another limit, worked out from what was recorded.
  ///
  /// Every queue gets that many slots, and everything is scheduled anew, in this way:
  ///
  /// - An operation is added as long after the first addition of all as it was; one that a body added, when that body
  ///   has worked as long as it had, and waited as often.
  /// - An operation is ready when the operations of ``Entry/dependencies`` have finished. What the history does not
  ///   have blocks as long as it did.
  /// - Of the ready operations that of the highest priority begins first, of several the one that comes to be added first.
  /// - A body executes as long as it did. While it waits it has no slot. The wait is over when that operation has
  ///   finished which was waited for, the first one of several. A wait for a queue or the end of a scope is over when
  ///   all has finished that the body had added to it, and the operation whose end left it empty, or which was the last to finish
  ///   meanwhile where it never was. Where the history does not have that, as for `withLentSlot`, or the wait had not ended, it is
  ///   over after as much time as it took until the body had a slot again. Then the body goes on
  ///   ahead of everything that has not begun. What had finished before a body came to wait for it is not waited for.
  /// - Operations that were started by hand take no slot.
  /// - Those that did not run take neither a slot nor time. One leaves when the dependency has finished whose failure
  ///   kept it from running; others, such as cancelled ones, leave as long after their addition as they did. What depends
  ///   on them is ready then.
  ///
  /// It is over when the last body ends.
  ///
  /// Barriers, suspension, concurrency limits and start rates are not replayed. Operations that had not begun are left
  /// out; a body that had not ended ends where the history does. Work that slows down other work, since they share a
  /// processor, is not foreseen.
  ///
  /// - Parameter width: The number of slots, from 1; `.max` stands for any number. Anything below is a programming
  ///   error.
  /// - Complexity: O(n log n) in the number of operations, spans and dependencies.
  public func duration(atWidth width: Int) -> Duration {
    if width < 1 { fatalError("No operation runs in \(width) slots: expected 1 or more.") }
    return Replay(ReplayPlan(self), width: width).duration
  }

  /// The operations that determine how long it takes where there are slots for all, in the order of their beginnings.
  ///
  /// The longest way through dependencies, waits of bodies and additions by bodies: what ``duration(atWidth:)`` with
  /// `.max` takes. From the body that ends last the way goes back: from each body to what ended its last wait, if
  /// that was not there already; from its beginning to the dependency that finished last; where it was ready at once,
  /// to the body that added it. Each operation is listed once; one that did not run only where something waited for it.
  /// Without these, and without waits and additions by bodies, the executing time of all of them, and the time of the
  /// first one's addition, make up the whole. Empty where nothing has run.
  ///
  /// - Complexity: O(n log n).
  public var criticalPath: [Entry] {
    let plan = ReplayPlan(self)
    return CriticalPath(plan, Replay(plan, width: .max)).operations.map { operations[$0] }
  }
}
