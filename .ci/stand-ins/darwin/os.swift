// What the observer for Instruments, in the article "Seeing what goes on", calls of Apple's module `os`, as its documentation
// declares it. Nothing is `Sendable`, since the documentation does not say that it is.
//
// Only for the type check of `.ci/apple-availability`.

public struct OSSignposter {
  public init(subsystem: String, category: String) {}

  public func makeSignpostID() -> OSSignpostID { OSSignpostID() }

  public func beginInterval(
    _ name: StaticString, id: OSSignpostID, _ message: SignpostMetadata
  ) -> OSSignpostIntervalState { OSSignpostIntervalState() }

  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
}

public struct OSSignpostID {}

@available(*, unavailable)
extension OSSignposter: Sendable {}

@available(*, unavailable)
extension OSSignpostIntervalState: Sendable {}

public class OSSignpostIntervalState {}

public struct OSLogPrivacy {
  public static var `public`: OSLogPrivacy { OSLogPrivacy() }
  public static var auto: OSLogPrivacy { OSLogPrivacy() }
}

public struct SignpostMetadata: ExpressibleByStringInterpolation {
  public struct StringInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) {}

    public mutating func appendInterpolation(
      _ text: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .auto
    ) {}

    public mutating func appendInterpolation<Value: CustomStringConvertible>(
      _ value: @autoclosure @escaping () -> Value, privacy: OSLogPrivacy = .auto
    ) {}
  }

  public init(stringLiteral text: String) {}

  public init(stringInterpolation text: StringInterpolation) {}
}
