/// What is known of an operation that has succeeded.
struct Note: Equatable, Sendable {
  /// Counts the ends of operations over all runs, so that each success has a number of its own.
  ///
  /// A success is part of what its dependents depend on by this number. Example: `a` succeeds as number 1 and then `b`,
  /// after success 1; in the next run `a` succeeds again, as number 3, but the run is killed before `b`. The note of
  /// `b` speaks of success 1, so `b` is not up to date, although neither command has changed.
  let number: UInt64
  /// What it depended on.
  let key: Digest
}
