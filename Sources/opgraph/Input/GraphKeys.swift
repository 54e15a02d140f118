/// The keys of the object that a graph file consists of.
enum GraphKey: String, CaseIterable {
  case schema = "$schema"
  case operations, pools, defaults, launcher
}

/// The keys of an operation.
enum NodeKey: String, CaseIterable {
  case id, run, after, priority, directory, timeout, retries, env, pools, allowFailure, inputs, outputs, launcher

  /// Those that may also stand in the defaults: what is not different for each operation by its nature.
  static let ofDefaults: [NodeKey] = [
    .priority, .directory, .timeout, .retries, .env, .pools, .allowFailure, .launcher,
  ]
}

/// The keys of a pool that is more than a depth.
enum PoolKey: String, CaseIterable {
  case depth, launcher
}

/// The keys of retries that are more than a number.
enum RetriesKey: String, CaseIterable {
  case attempts, delay, factor, maximumDelay
}
