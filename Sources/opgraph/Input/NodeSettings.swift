import StructuredOperations

/// What may be said of one node and, as the default, of all; nil where it is not said.
struct NodeSettings {
  var priority: QueuePriority?
  var directory: String?
  var timeout: Duration?
  var retries: Graph.Retries?
  var environment: [String: String?]?
  var pools: PoolNames?
  var allowsFailure: Bool?
  var launcher: [String]?

  /// Names of pools, and where each of them stands.
  struct PoolNames {
    var names: [String] = []
    var offsets: [Int] = []
  }

  /// What a node says itself, in a byte: the values are in the node.
  struct Said: OptionSet {
    let rawValue: UInt8

    static let priority = Said(rawValue: 1 << 0)
    static let directory = Said(rawValue: 1 << 1)
    static let timeout = Said(rawValue: 1 << 2)
    static let retries = Said(rawValue: 1 << 3)
    static let pools = Said(rawValue: 1 << 4)
    static let allowsFailure = Said(rawValue: 1 << 5)
    static let launcher = Said(rawValue: 1 << 6)
  }

  var said: Said {
    var said: Said = []
    if priority != nil { said.insert(.priority) }
    if directory != nil { said.insert(.directory) }
    if timeout != nil { said.insert(.timeout) }
    if retries != nil { said.insert(.retries) }
    if pools != nil { said.insert(.pools) }
    if allowsFailure != nil { said.insert(.allowsFailure) }
    if launcher != nil { said.insert(.launcher) }
    return said
  }

  /// Fills in what a node does not say; variables one by one.
  func complete(_ node: inout Graph.Node, saying said: Said) {
    if let priority, !said.contains(.priority) { node.priority = priority }
    if let directory, !said.contains(.directory) { node.directory = directory }
    if let timeout, !said.contains(.timeout) { node.timeout = timeout }
    if let retries, !said.contains(.retries) { node.retries = retries }
    if let pools, !said.contains(.pools) { node.pools = pools.names }
    if let allowsFailure, !said.contains(.allowsFailure) { node.allowsFailure = allowsFailure }
    if let environment {
      // Shared, not copied, by the nodes without variables of their own.
      node.environment = node.environment.isEmpty ? environment : environment.merging(node.environment) { $1 }
    }
  }
}
