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
    /// Where the value is.
    var place: Int
  }

  /// The values without gaps, so that they are read in place: an optional one would be copied.
  private var values: [Value] = []
  /// The identifier of each value.
  private var ids: [ID] = []
  private var slots: [Slot] = []
  var indices = TableIndices()
  private var nextNumber = 0

  var isEmpty: Bool { values.isEmpty }

  var count: Int { values.count }

  /// The values in no particular order.
  var elements: [(id: ID, value: Value)] { Array(zip(ids, values)) }

  /// The values in the order of insertion, in O(n log n).
  var valuesInOrder: [Value] { elements.sorted { $0.id < $1.id }.map(\.value) }

  mutating func insert(_ value: consuming Value) -> ID {
    let slot = Slot(number: nextNumber, place: values.endIndex)
    let id = ID(number: nextNumber, index: indices.take())
    nextNumber += 1
    if id.index == slots.endIndex { slots.append(slot) } else { slots[id.index] = slot }
    if indices.hasToRaise { indices.raise { [slots] in slots[$0].number >= 0 } }
    values.append(value)
    ids.append(id)
    return id
  }

  /// Nil where the value was removed.
  subscript(id: ID) -> Value? { contains(id) ? values[slots[id.index].place] : nil }

  /// A value in place, which must be there.
  subscript(existing id: ID) -> Value {
    _read {
      precondition(contains(id), Self.isGone)
      yield values[slots[id.index].place]
    }
    _modify {
      precondition(contains(id), Self.isGone)
      yield &values[slots[id.index].place]
    }
  }

  mutating func removeValue(for id: ID) -> Value? {
    guard contains(id) else { return nil }
    let place = slots[id.index].place
    slots[id.index].number = -1
    // The last value takes the place. Not by `swapAt`, which copies.
    guard var value = values.popLast(), let last = ids.popLast() else { preconditionFailure(Self.isGone) }
    if place < values.endIndex {
      swap(&value, &values[place])
      ids[place] = last
      slots[last.index].place = place
    }
    indices.giveBack(id.index)
    if indices.hasToLower { indices.lower { [slots] in slots[$0].number >= 0 } }
    if indices.count < slots.count { slots = Array(slots[..<indices.count]) }
    values.shrinkIfSparse()
    ids.shrinkIfSparse()
    return value
  }

  private static var isGone: String { "a value is used that was removed" }

  func contains(_ id: ID) -> Bool { id.index < slots.count && slots[id.index].number == id.number }
}
