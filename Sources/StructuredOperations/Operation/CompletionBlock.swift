/// What runs once an operation has finished.
///
/// It is given the operation instead of holding it: until then the operation holds the block.
struct CompletionBlock: Sendable {
  private let block: @Sendable (any OperationProtocol) async -> Void

  init(_ block: @escaping @Sendable (any OperationProtocol) async -> Void) {
    self.block = block
  }

  /// A call of the block, which keeps the operation.
  func call(with operation: any OperationProtocol) -> Call { Call(block: block, operation: operation) }

  /// A block that is about to run, or runs.
  struct Call: Sendable {
    fileprivate let block: @Sendable (any OperationProtocol) async -> Void
    let operation: any OperationProtocol

    func run() async {
      if ExecutionContext.current == nil, ExecutionContext.queue == nil {
        await block(operation)
      } else {
        // A body has started the operation, or has opened the scope that this runs in. The block is no part of that body.
        await ExecutionContext.$current.withValue(nil) {
          await ExecutionContext.$queue.withValue(nil) { await block(operation) }
        }
      }
      // A block that ignores it may find it by a weak reference, to its very end.
      withExtendedLifetime(operation) {}
    }
  }
}
