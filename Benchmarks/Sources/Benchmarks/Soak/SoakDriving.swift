/// A task of the soak: runs operations in queues of its own, and does to them what a seeded generator chooses.
protocol SoakDriving: Sendable {
  /// What the driver does to operations and queues, in words that follow a number.
  static var churnDescription: String { get }

  /// What the driver has done since it was made.
  var tally: SoakTally { get }

  init(seed: UInt64)

  /// Runs a number of operations to their ends.
  mutating func run(count: Int, inNewQueue: Bool) async
}
