import TestSupport
import Testing

@testable import StructuredOperations

@Suite("OnDemand")
struct OnDemandTests {
  private struct Value: InitializableEmpty, Equatable {
    var numbers: [Int] = []
    var name: String?
  }

  @Test("A new one takes the room of a pointer, and does not exist")
  func new() {
    let value = OnDemand<Value>()
    #expect(!value.exists)
    #expect(MemoryLayout.size(ofValue: value) == MemoryLayout<Int>.size)
  }

  @Test("Reading does not make the value")
  func reading() {
    let value = OnDemand<Value>()
    #expect(value.read(\.numbers) == nil)
    #expect(value.value == Value())
    #expect(!value.exists)
  }

  @Test("The first change makes the value, and later ones keep it")
  func changing() {
    var value = OnDemand<Value>()
    value.change { $0.numbers.append(1) }
    value.change { $0.name = "name" }
    value.change { $0.numbers.append(2) }
    #expect(value.exists)
    #expect(value.read(\.self) == Value(numbers: [1, 2], name: "name"))
    #expect(value.value == Value(numbers: [1, 2], name: "name"))
  }

  @Test("A change of what is present makes nothing, and reaches what exists")
  func changingIfPresent() {
    var value = OnDemand<Value>()
    #expect(value.changeIfPresent { $0.numbers.append(1) } == nil)
    #expect(!value.exists)
    value.change { $0.numbers = [3] }
    let last = value.changeIfPresent { $0.numbers.removeLast() }
    #expect(last == 3)
    #expect(value.value == Value() && value.exists)
  }

  @Test("A copy is a value of its own")
  func copies() {
    var value = OnDemand<Value>()
    value.change { $0.name = "one" }
    var copy = value
    copy.change { $0.name = "other" }
    #expect(value.value.name == "one" && copy.value.name == "other")
  }

  @Test("What the value holds is freed with it")
  func freeing() {
    let gone = Gate()
    struct Holder: InitializableEmpty { var canary: Canary? }
    func use() {
      var value = OnDemand<Holder>()
      value.change { $0.canary = Canary(gone) }
      #expect(!gone.isOpen)
    }
    use()
    #expect(gone.isOpen)
  }
}
