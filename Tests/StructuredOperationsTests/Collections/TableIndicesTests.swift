import Testing

@testable import StructuredOperations

@Suite("TableIndices")
struct TableIndicesTests {
  /// A table that is kept as its owners keep theirs.
  private struct Table {
    var indices: TableIndices
    var places: [Int?] = []

    init(keptCount: Int) { indices = TableIndices(keptCount: keptCount) }

    var takenPlaces: [Int] { places.indices.filter { places[$0] != nil } }

    @discardableResult
    mutating func add(_ value: Int) -> Int {
      let index = indices.take()
      if index < places.count { places[index] = value } else { places.append(value) }
      if indices.hasToRaise { indices.raise { places[$0] != nil } }
      return index
    }

    mutating func remove(_ index: Int) {
      places[index] = nil
      indices.giveBack(index)
      if indices.hasToLower { indices.lower { places[$0] != nil } }
      places.removeLast(places.count - indices.count)
    }
  }

  @Test("The place that was given back last is given out first, and the table grows where there is none")
  func order() {
    var table = Table(keptCount: 1_024)
    #expect((0..<4).map { table.add($0) } == [0, 1, 2, 3])
    table.remove(2)
    table.remove(0)

    #expect(table.indices.next == 0)
    #expect((0..<3).map { table.add($0) } == [0, 2, 4])
    #expect(table.indices.count == 5)
  }

  @Test("A table that was long is cut though one place below stays taken")
  func cut() {
    var table = Table(keptCount: 1_024)
    for number in 0..<100_000 { table.add(number) }
    for index in 1..<100_000 { table.remove(index) }

    #expect(table.takenPlaces == [0])
    #expect(table.indices.count == 1_024)
  }

  @Test("Where a place far above stays taken, low ones are given out, and the table is cut as soon as it is free")
  func placeAbove() {
    var table = Table(keptCount: 1_024)
    for number in 0..<100_000 { table.add(number) }
    for index in 0..<99_999 { table.remove(index) }
    #expect(table.indices.count == 100_000)
    #expect((0..<512).map { table.add($0) }.max() == 511)

    table.remove(99_999)

    #expect(table.indices.count == 1_024)
    #expect(table.takenPlaces == Array(0..<512))
  }

  @Test("A table that was to be cut takes as many again, without growing before its places are taken")
  func raise() {
    var table = Table(keptCount: 16)
    for number in 0..<1_000 { table.add(number) }
    for index in 0..<998 { table.remove(index) }
    #expect(table.indices.count == 1_000)

    let added = (0..<998).map { table.add($0) }

    #expect(added.sorted() == Array(0..<998))
    #expect(table.add(0) == 1_000)
  }

  @Test("A table of no more places than are kept is not cut")
  func kept() {
    var table = Table(keptCount: 1_024)
    for number in 0..<1_024 { table.add(number) }
    for index in 0..<1_024 { table.remove(index) }

    #expect(table.indices.count == 1_024)
  }

  @Test("Random inputs never have a place given out twice, and nothing is kept for an empty table", arguments: 0..<50)
  func model(seed: Int) throws {
    var numbers = SeededGenerator(seed: UInt64(seed))
    var table = Table(keptCount: 4)
    var next = 0
    var values: [Int: Int] = [:]
    var taken: [Int] = []
    for step in 0..<200 {
      for _ in 0..<Int.random(in: 0..<60, using: &numbers) {
        let index = table.indices.next
        try ModelMismatch.check(table.add(next), index, "the place given out", seed: seed, step: step)
        try ModelMismatch.check(values[index], nil, "what was in its place", seed: seed, step: step)
        values[index] = next
        taken.append(index)
        next += 1
      }
      for _ in 0..<Int.random(in: 0..<70, using: &numbers) {
        guard let place = taken.indices.randomElement(using: &numbers) else { break }
        taken.swapAt(place, taken.endIndex - 1)
        let index = taken.removeLast()
        values[index] = nil
        table.remove(index)
      }
      let kept = Dictionary(uniqueKeysWithValues: table.takenPlaces.map { ($0, table.places[$0]) })
      try ModelMismatch.check(kept, values, "the table", seed: seed, step: step)
      try ModelMismatch.check(table.indices.count, table.places.count, "the length", seed: seed, step: step)
    }
    for index in taken { table.remove(index) }
    try ModelMismatch.check(table.places.count, 4, "the length of an empty table", seed: seed, step: 200)
  }
}
