/// A value that takes the room of a pointer until it is first changed.
struct OnDemand<Value: InitializableEmpty> {
  /// The value, or nothing.
  private var storage: [Value] = []

  /// Whether the value was ever changed.
  var exists: Bool { !storage.isEmpty }

  /// Reads the value without making it; nil if it does not exist.
  @inline(__always)
  func read<Result>(_ body: (Value) -> Result) -> Result? { storage.isEmpty ? nil : body(storage[0]) }

  /// Changes the value, which exists from then on.
  var value: Value {
    get { storage.first ?? Value() }
    _modify {
      if storage.isEmpty { storage = [Value()] }
      yield &storage[0]
    }
  }

  /// Changes the value where it exists; nil if it does not.
  @inline(__always)
  mutating func changeIfPresent<Result>(_ body: (inout Value) -> Result) -> Result? {
    storage.isEmpty ? nil : body(&storage[0])
  }

  /// Takes the value out, if it exists.
  mutating func take() -> OnDemand {
    var taken = OnDemand()
    swap(&taken, &self)
    return taken
  }
}

/// A type with an empty value.
protocol InitializableEmpty {
  init()
}

extension OnDemand: Sendable where Value: Sendable {}
