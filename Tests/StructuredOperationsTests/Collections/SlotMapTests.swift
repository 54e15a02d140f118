import Testing

@testable import StructuredOperations

@Suite("SlotMap")
struct SlotMapTests {
  @Test("A value is found until it is removed, and its identifier finds no other one afterwards")
  func removal() {
    var map = SlotMap<String>()
    let (one, other) = (map.insert("one"), map.insert("other"))
    #expect(map.removeValue(for: one) == "one")
    let third = map.insert("third")

    #expect(map[one] == nil && map.removeValue(for: one) == nil)
    #expect(map.elements.count == 2)
    #expect(map[other] == "other" && map[third] == "third")
    #expect(one != third && one < other && other < third)
    #expect(map.valuesInOrder == ["other", "third"])
  }

  @Test("A value is changed in place")
  func change() {
    var map = SlotMap<[Int]>()
    let id = map.insert([1])
    map[existing: id].append(2)
    #expect(map[existing: id] == [1, 2])
  }

  @Test("A map that many values have left takes others, under other identifiers")
  func emptied() {
    var map = SlotMap<Int>()
    let ids = (0..<5_000).map { map.insert($0) }
    for id in ids { _ = map.removeValue(for: id) }
    #expect(map.isEmpty && map.elements.isEmpty)

    let next = map.insert(7)
    #expect(!map.isEmpty && map[next] == 7)
    #expect(ids.allSatisfy { map[$0] == nil && $0 < next })
  }

  @Test("The room that many values needed is given back, though the map never becomes empty", arguments: [0, 49_999])
  func memory(remaining: Int) {
    var map = SlotMap<Int>()
    var ids = (0..<50_000).map { map.insert($0) }
    let kept = ids.remove(at: remaining)
    for id in ids { _ = map.removeValue(for: id) }
    if remaining > 0 {
      // It keeps places as far as that of the last one.
      _ = map.insert(0)
      _ = map.removeValue(for: kept)
    }

    #expect(map.count == 1)
    let places = Mirror(reflecting: map).children.map { Mirror(reflecting: $0.value).children.count }
    #expect(places.count > 3 && places.allSatisfy { $0 <= 1_024 })
    let members = Mirror(reflecting: map).children.map(\.value)
    let room = members.compactMap { ($0 as? [Int])?.capacity ?? ($0 as? [SlotMap<Int>.ID])?.capacity }
    #expect(room.count == 2 && room.allSatisfy { $0 <= 1_024 })
    #expect(ids.allSatisfy { map[$0] == nil })
  }

  @Test("Random inputs have the map do what a dictionary does", arguments: 0..<20)
  func model(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var (map, model): (SlotMap<Int>, [SlotMap<Int>.ID: Int]) = (SlotMap(), [:])
    // So that places are given back all the time.
    map.indices = TableIndices(keptCount: 2)
    var ids: [SlotMap<Int>.ID] = []
    for step in 0..<500 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        let id = map.insert(step)
        #expect(ids.allSatisfy { $0 < id })
        ids.append(id)
        model[id] = step
      case 2:
        guard let id = ids.randomElement(using: &random) else { continue }
        #expect(map.removeValue(for: id) == model.removeValue(forKey: id))
      default:
        guard let id = model.keys.sorted().randomElement(using: &random) else { continue }
        map[existing: id] += 1
        model[id, default: 0] += 1
      }
      #expect(ids.allSatisfy { map[$0] == model[$0] })
      #expect(map.isEmpty == model.isEmpty && map.elements.count == model.count)
    }
  }
}
