/// Values under identifiers that are given once, and found without hashing.
///
/// The place of a value that was removed is used again; an identifier is not.
struct SlotMap<Value: Sendable>: Sendable {
  /// Compares by the order of insertion.
  struct ID: Hashable, Comparable, Sendable {
    fileprivate let number: Int
    fileprivate let index: Int

    static func == (one: Self, other: Self) -> Bool { one.number == other.number }

    static func < (one: Self, other: Self) -> Bool { one.number < other.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  private struct Slot: Sendable {
    /// -1 where there is no value.
    var number: Int
    var value: Value?
  }

  private var slots: [Slot] = []
  private var freeIndices: [Int] = []
  private var nextNumber = 0

  var isEmpty: Bool { freeIndices.count == slots.count }

  /// The values in no particular order.
  ///
  /// O(the most values that there were since the map was empty).
  var elements: [(id: ID, value: Value)] {
    slots.indices.compactMap { index in
      slots[index].value.map { (ID(number: slots[index].number, index: index), $0) }
    }
  }

  mutating func insert(_ value: consuming Value) -> ID {
    defer { nextNumber += 1 }
    guard let index = freeIndices.popLast() else {
      slots.append(Slot(number: nextNumber, value: value))
      return ID(number: nextNumber, index: slots.endIndex - 1)
    }
    slots[index].number = nextNumber
    slots[index].value = consume value
    return ID(number: nextNumber, index: index)
  }

  /// Nil where the value was removed.
  subscript(id: ID) -> Value? { contains(id) ? slots[id.index].value : nil }

  /// A value in place, which must be there.
  subscript(existing id: ID) -> Value {
    _read {
      precondition(contains(id), Self.isGone)
      // swift-format-ignore: NeverForceUnwrap
      yield slots[id.index].value!
    }
    _modify {
      precondition(contains(id), Self.isGone)
      // swift-format-ignore: NeverForceUnwrap
      yield &slots[id.index].value!
    }
  }

  mutating func removeValue(for id: ID) -> Value? {
    guard contains(id), let value = slots[id.index].value.take() else { return nil }
    slots[id.index].number = -1
    freeIndices.append(id.index)
    // An empty map does not keep many slots.
    if isEmpty, slots.count > Self.keptCount { (slots, freeIndices) = ([], []) }
    return value
  }

  private static var isGone: String { "a value is used that was removed" }

  func contains(_ id: ID) -> Bool { id.index < slots.count && slots[id.index].number == id.number }

  /// How many slots an empty map keeps.
  private static var keptCount: Int { 1_024 }
}
