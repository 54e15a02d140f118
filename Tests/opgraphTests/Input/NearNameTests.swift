import Testing

@testable import opgraph

@Suite("NearName")
struct NearNameTests {
  @Test(
    "The distance is the number of edits, and an exchange of neighbours is one",
    arguments: [
      ("", "", 0), ("a", "a", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("after", "afters", 1),
      ("timeout", "tiemout", 1), ("pirority", "priority", 1), ("ca", "abc", 3), ("über", "uber", 1),
    ])
  func distance(a: String, b: String, distance: Int) {
    let (a, b) = (Array(a.unicodeScalars), Array(b.unicodeScalars))

    #expect(NearName.distance(a, b, limit: 10) == distance)
    #expect(NearName.distance(b, a, limit: distance) == distance)
    #expect(NearName.distance(a, b, limit: distance - 1) == nil)
  }

  @Test("With any limit the distance is that of the whole table, or nil where it is above the limit")
  func band() {
    // All words of up to four letters out of two.
    var words: [[Unicode.Scalar]] = [[]]
    for length in 0..<4 {
      for word in words where word.count == length { words += [word + ["a"], word + ["b"]] }
    }
    for a in words {
      for b in words {
        let whole = NearName.distance(a, b, limit: 100) ?? -1
        for limit in 0...4 {
          #expect(NearName.distance(a, b, limit: limit) == (whole <= limit ? whole : nil), "\(a) \(b) \(limit)")
        }
      }
    }
  }

  @Test(
    "The nearest name is meant, the first of several",
    arguments: [
      ("timout", "timeout"), ("retry", nil), ("retrys", "retries"), ("Priority", "priority"), ("x", nil), ("", nil),
      ("rnu", "run"), ("env ", "env"), ("directorry", "directory"), ("something else", nil),
    ])
  func near(name: String, meant: String?) {
    #expect(NearName.of(name, in: ["id", "run", "priority", "directory", "timeout", "retries", "env"]) == meant)
  }

  @Test("Of names that are equally near the first one is meant, a nearer one before it")
  func order() {
    #expect(NearName.of("build3", in: ["build1", "build2"]) == "build1")
    #expect(NearName.of("build-33", in: ["build-11", "build-34"]) == "build-34")
    #expect(NearName.suggestion(for: "build3", in: ["build1"]) == #"; did you mean "build1"?"#)
    #expect(NearName.suggestion(for: "build3", in: []) == nil)
  }

  @Test("Names of hundreds of characters have none near them, for which the search would take long")
  func longName() {
    let long = String(repeating: "a", count: 200)
    #expect(NearName.of(long, in: [long + "a"]) == long + "a")
    #expect(NearName.of(long + "a", in: [long]) == nil)
  }
}
