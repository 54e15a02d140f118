/// A value that takes the room of a pointer until it is given, or first changed.
struct OnDemand<Value: InitializableEmpty> {
  /// The value, or nothing.
  private var storage: [Value] = []

  /// Nothing so far.
  init() {}

  /// A value that exists from the start.
  init(_ value: Value) { storage = [value] }

  /// Whether the value was given, or ever changed.
  var exists: Bool { !storage.isEmpty }

  /// Reads the value without making it; nil if it does not exist.
  @inline(__always)
  func read<Result>(_ body: (Value) -> Result) -> Result? { storage.isEmpty ? nil : body(storage[0]) }

  /// The value, or the empty one.
  var value: Value { storage.first ?? Value() }

  /// Changes the value, which exists from then on.
  ///
  /// A closure, since an accessor that yields allocated its frame at each use: nested ones are not inlined.
  @inline(__always)
  mutating func change<Result: ~Copyable>(_ body: (inout Value) -> Result) -> Result {
    if storage.isEmpty { storage = [Value()] }
    return body(&storage[0])
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
