/// Several blocks that form the body of one operation: the equivalent of `BlockOperation`.
///
/// ```swift
/// let blocks = ExecutionBlocks { try store(first) }
/// try blocks.add { try await send(second) }
/// let operation = AsyncOperation(blocks)
/// ```
///
/// The operation runs all blocks concurrently, synchronous ones on threads of ``OperationThreadPool``, and finishes
/// when all have returned. Together they take one slot of the queue. If blocks throw, the others still run, and the
/// outcome is the first error in the order of addition. Without blocks the operation finishes at once.
///
/// Each block runs in a child task of the body. So a block that waits for an operation keeps the slot, also in
/// ``withLentSlot(_:)``, and a wait that could never end is not found: in a queue of width 1 a block that awaits an operation
/// of that queue waits for ever, and in any queue one that awaits its own operation. An explanation tells the loop. Where
/// blocks have to wait, make an operation of each in their place; one whose body awaits those lends its slot:
///
/// ```swift
/// let operation = AsyncOperation {
///   await queue.addAndWait([download, resize])
/// }
/// ```
public final class ExecutionBlocks: Sendable {
  /// In the order of addition; nil once an operation with these blocks is executing or has finished.
  private let blocks: Guarded<[OperationBody]?>

  /// Makes an empty list.
  public init() {
    blocks = Guarded([])
  }

  /// Makes a list with one synchronous block.
  ///
  /// - Parameter main: The block. It may block its thread.
  public init(_ main: @escaping @Sendable () throws -> Void) {
    blocks = Guarded([.main(main)])
  }

  /// Makes a list with one asynchronous block.
  ///
  /// - Parameter start: The block. It must not block its thread.
  public init(_ start: @escaping @Sendable () async throws -> Void) {
    blocks = Guarded([.start(start)])
  }

  /// Adds a synchronous block.
  ///
  /// - Parameter main: The block. It may block its thread.
  /// - Throws: ``OperationError/blocksSealed`` once the operation is executing or has finished.
  public func add(_ main: @escaping @Sendable () throws -> Void) throws {
    try append(.main(main))
  }

  /// Adds an asynchronous block.
  ///
  /// - Parameter start: The block. It must not block its thread.
  /// - Throws: ``OperationError/blocksSealed`` once the operation is executing or has finished.
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

  /// Runs each block in a child task.
  ///
  /// - Throws: The first error in the order of addition; ``OperationError/blocksSealed`` if another operation has run
  ///   the blocks.
  nonisolated(nonsending) func run(under executor: (any TaskExecutor)?) async throws {
    guard let blocks = seal() else { throw OperationError.blocksSealed }
    let failures = await withTaskGroup(of: (Int, any Error)?.self) { group -> [(Int, any Error)] in
      for (number, block) in blocks.enumerated() {
        let run: @Sendable () async -> (Int, any Error)? = {
          switch await block.run(under: executor) {
          case .output: nil
          case .error(let error): (number, error)
          }
        }
        if let executor = executor ?? OperationBody.childExecutor(isBlocking: block.isBlocking) {
          group.addTask(executorPreference: executor, operation: run)
        } else {
          group.addTask(operation: run)
        }
      }
      return await group.reduce(into: []) { failures, failure in
        if let failure { failures.append(failure) }
      }
    }
    if let first = failures.min(by: { $0.0 < $1.0 }) { throw first.1 }
  }

  /// Frees the blocks of an operation that has finished without running.
  func discard() { _ = seal() }

  /// Takes the blocks out, also so that they are not freed under the lock.
  private func seal() -> [OperationBody]? {
    blocks.withLock { $0.take() }
  }
}
