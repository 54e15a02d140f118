// What StructuredOperationsFoundation calls of Apple's Foundation, as its headers declare it for Swift.
//
// Only for the type check of `.ci/apple-availability`. Compiled for library evolution, as enumerations from headers may get
// further cases.

@_exported import Dispatch

open class NSObject {
  public init() {}

  open func willChangeValue(forKey key: String) {}
  open func didChangeValue(forKey key: String) {}
}

open class Operation: NSObject, @unchecked Sendable {
  public enum QueuePriority: Int, Sendable {
    case veryLow = -8
    case low = -4
    case normal = 0
    case high = 4
    case veryHigh = 8
  }

  open func start() {}
  open func main() {}
  open func cancel() {}
  open var isCancelled: Bool { false }
  open var isExecuting: Bool { false }
  open var isFinished: Bool { false }
  open var isConcurrent: Bool { false }
  open var isAsynchronous: Bool { false }
  open var isReady: Bool { false }
  open func addDependency(_ operation: Operation) {}
  open func removeDependency(_ operation: Operation) {}
  open var dependencies: [Operation] { [] }
  open var queuePriority: QueuePriority {
    get { .normal }
    set {}
  }
  open var completionBlock: (@Sendable () -> Void)?
  open func waitUntilFinished() {}
  open var qualityOfService: QualityOfService {
    get { .default }
    set {}
  }
  open var name: String?
}

open class BlockOperation: Operation, @unchecked Sendable {
  public convenience init(block: @escaping @Sendable () -> Void) { self.init() }
}

open class OperationQueue: NSObject, @unchecked Sendable {
  open func addOperation(_ operation: Operation) {}
  open var qualityOfService: QualityOfService {
    get { .default }
    set {}
  }
  open var name: String?
}

public enum QualityOfService: Int, Sendable {
  case userInteractive = 0x21
  case userInitiated = 0x19
  case utility = 0x11
  case background = 0x09
  case `default` = -1
}

open class Thread: NSObject {
  open class var current: Thread { Thread() }
}

@available(*, unavailable)
extension Thread: Sendable {}

public protocol NSLocking {
  func lock()
  func unlock()
}

extension NSLocking {
  public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}

open class NSLock: NSObject, NSLocking, @unchecked Sendable {
  open func lock() {}
  open func unlock() {}
}

open class Progress: NSObject, @unchecked Sendable {
  public init(parent: Progress?, userInfo: [ProgressUserInfoKey: Any]? = nil) {}

  open var totalUnitCount: Int64 = 0
  open var completedUnitCount: Int64 = 0
  open var isCancellable = true
  open var cancellationHandler: (@Sendable () -> Void)?
}

public struct ProgressUserInfoKey: Hashable, Sendable {}

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
}
