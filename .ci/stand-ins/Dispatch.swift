// What the tool and StructuredOperationsFoundation call of Dispatch, which the toolchain has as a binary for glibc only.
//
// Only for the type checks of `.ci/apple-availability` and `.ci/musl-and-wasi`: nothing here does anything. When they come to
// call more, the check says what is not in scope; it is declared here then.

public enum DispatchTimeInterval: Sendable {
  case nanoseconds(Int)
}

public enum DispatchTimeoutResult: Sendable {
  case success, timedOut
}

public struct DispatchTime: Sendable {
  public static func now() -> DispatchTime { DispatchTime() }
  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
}

public final class DispatchSemaphore: Sendable {
  public init(value: Int) {}
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
  @discardableResult public func signal() -> Int { 0 }
}

public final class DispatchQueue: Sendable {
  public static func global() -> DispatchQueue { DispatchQueue() }
  public func async(execute work: @escaping @Sendable () -> Void) {}
}
