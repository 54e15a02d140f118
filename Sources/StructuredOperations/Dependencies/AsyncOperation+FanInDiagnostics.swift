// Closures that forget their parameters. The compiler would look for a form that takes such a closure, and Swift 6.3 crashes
// when it explains why a parameter pack does not; so it finds these, and says their message.
extension AsyncOperation {
  /// Unavailable: the closure takes the outputs of the operations it comes after.
  @available(
    *, unavailable, message: "the closure takes the outputs of the operations it comes after: { output in … }"
  )
  public init<First: Sendable, each Other: Sendable>(
    after first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable () throws -> Output
  ) { self.init(main: main) }

  /// Unavailable: the closure takes the outputs of the operations it comes after.
  @available(
    *, unavailable, message: "the closure takes the outputs of the operations it comes after: { output in … }"
  )
  public init<First: Sendable, each Other: Sendable>(
    after first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable () async throws -> Output
  ) { self.init(start: start) }

  /// Unavailable: the closure takes the outcomes of the operations it comes after.
  @available(
    *, unavailable, message: "the closure takes the outcomes of the operations it comes after: { outcome in … }"
  )
  public init<First: Sendable, each Other: Sendable>(
    afterOutcomesOf first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable () throws -> Output
  ) { self.init(main: main) }

  /// Unavailable: the closure takes the outcomes of the operations it comes after.
  @available(
    *, unavailable, message: "the closure takes the outcomes of the operations it comes after: { outcome in … }"
  )
  public init<First: Sendable, each Other: Sendable>(
    afterOutcomesOf first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable () async throws -> Output
  ) { self.init(start: start) }
}
