import Testing

@testable import StructuredOperations

@Suite("AtomicOptions")
struct AtomicOptionsTests {
  private struct Letters: OptionSet {
    let rawValue: UInt8

    static let a = Self(rawValue: 1 << 0)
    static let b = Self(rawValue: 1 << 1)
    static let c = Self(rawValue: 1 << 2)
  }

  /// A set that tasks share.
  private final class Shared: Sendable {
    let letters = AtomicOptions<Letters>()
  }

  @Test("What was added is there, and nothing else")
  func added() {
    let letters = AtomicOptions<Letters>()
    #expect(!letters.contains(.a) && !letters.contains(.b))
    letters.insert(.b)
    #expect(!letters.contains(.a) && letters.contains(.b))
    letters.insert(.b)
    letters.insert(.c)
    #expect(!letters.contains(.a) && letters.contains(.b) && letters.contains(.c))
  }

  @Test("What tasks add at the same time is all there")
  func concurrent() async {
    for _ in 0..<20_000 {
      let shared = Shared()
      await withDiscardingTaskGroup { group in
        for letter in [Letters.a, .b, .c] { group.addTask { shared.letters.insert(letter) } }
      }
      #expect(shared.letters.contains(.a) && shared.letters.contains(.b) && shared.letters.contains(.c))
    }
  }
}
