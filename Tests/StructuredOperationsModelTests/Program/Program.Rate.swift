import StructuredOperations

extension Program {
  /// How many operations of a queue may begin within some milliseconds.
  struct Rate: Equatable, Sendable {
    var count: Int
    var milliseconds: Int

    var duration: Duration { .milliseconds(milliseconds) }

    var startRate: OperationStartRate { OperationStartRate(count, per: duration) }
  }
}
