/// What a body has produced, whatever its type: nothing for `Void`.
///
/// A reference and not an `any Sendable`, which is copied by looking up its type each time.
struct OperationOutput: Sendable {
  private let box: (any AnyObject & Sendable)?

  init<Value: Sendable>(_ value: Value) {
    box = Value.self == Void.self ? nil : Box(value)
  }

  /// What was given to ``init(_:)``; it was of this type.
  func value<Value: Sendable>(of type: Value.Type) -> Value {
    if let box = box as? Box<Value> { return box.value }
    guard box == nil, let nothing = () as? Value else { preconditionFailure("an output is no \(type)") }
    return nothing
  }

  private final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }
}
