/// Several blocks that make up one operation: the port of `BlockOperation` with `addExecutionBlock(_:)`.
///
/// ```swift
/// let blocks = ExecutionBlocks { try render(first) }
/// try blocks.add { try await render(second) }
/// let operation = AsyncOperation(blocks)
/// ```
///
/// The operation runs the blocks at the same time, synchronous ones on threads of their own, and finishes when all of
/// them have returned; they take no slots of the queue but the operation's one (BO-01, QC-07). Where blocks throw, the
/// others run all the same, and the first error in the order of addition is the outcome. Without any block the
/// operation finishes at once (BO-06).
public final class ExecutionBlocks: Sendable {
  /// The blocks in the order of addition; nil once they belong to an operation that executes or has finished.
  private let blocks: Guarded<[OperationBody]?>

  /// Makes an empty list.
  public init() {
    blocks = Guarded([])
  }

  /// Makes a list of one synchronous block.
  public convenience init(_ main: @escaping @Sendable () throws -> Void) {
    self.init()
    blocks.withLock { $0 = [.main(main)] }
  }

  /// Makes a list of one asynchronous block.
  public convenience init(_ start: @escaping @Sendable () async throws -> Void) {
    self.init()
    blocks.withLock { $0 = [.start(start)] }
  }

  /// Adds a synchronous block.
  ///
  /// - Throws: ``OperationError/blocksSealed`` once the operation executes or has finished (BO-04).
  public func add(_ main: @escaping @Sendable () throws -> Void) throws {
    try append(.main(main))
  }

  /// Adds an asynchronous block.
  ///
  /// - Throws: ``OperationError/blocksSealed`` once the operation executes or has finished (BO-04).
  public func add(_ start: @escaping @Sendable () async throws -> Void) throws {
    try append(.start(start))
  }

  private func append(_ block: OperationBody) throws {
    let isAdded = blocks.withLock { blocks in
      blocks?.append(block)
      return blocks != nil
    }
    guard isAdded else { throw OperationError.blocksSealed }
  }

  /// Runs all blocks, each in a child task, and throws the first error in the order of addition.
  ///
  /// - Throws: Also ``OperationError/blocksSealed``, where another operation has run them.
  nonisolated(nonsending) func run(under executor: (any TaskExecutor)?) async throws {
    let blocks = blocks.withLock { blocks in
      defer { blocks = nil }
      return blocks
    }
    guard let blocks else { throw OperationError.blocksSealed }
    let failures = await withTaskGroup(of: (Int, any Error)?.self) { group -> [(Int, any Error)] in
      for (number, block) in blocks.enumerated() {
        group.addTask(executorPreference: executor ?? OperationBody.defaultExecutor(isBlocking: block.isBlocking)) {
          switch await block.run(under: executor) {
          case .output: nil
          case .error(let error): (number, error)
          }
        }
      }
      return await group.reduce(into: []) { failures, failure in
        if let failure { failures.append(failure) }
      }
    }
    if let first = failures.min(by: { $0.0 < $1.0 }) { throw first.1 }
  }

  /// The operation has finished without running: frees the blocks.
  func discard() {
    // Freed where the lock is no longer held.
    _ = blocks.withLock { blocks in
      defer { blocks = nil }
      return blocks
    }
  }
}
