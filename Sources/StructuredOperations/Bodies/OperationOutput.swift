/// The output of a body, with its type erased.
///
/// A reference rather than an `any Sendable`, whose copies look the type up at run time. `Void` needs no allocation.
struct OperationOutput: Sendable {
  private let box: (any AnyObject & Sendable)?

  init<Value: Sendable>(_ value: Value) {
    box = Value.self == Void.self ? nil : Box(value)
  }

  /// The value passed to ``init(_:)``, which must have been of this type.
  func value<Value: Sendable>(of type: Value.Type) -> Value {
    if let box = box as? Box<Value> { return box.value }
    guard box == nil, let nothing = () as? Value else { preconditionFailure("an output is not of type \(type)") }
    return nothing
  }

  /// What holds the value, for ``IterativeRelease``.
  var owner: AnyObject? { box }

  private final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }
}
