import Testing

@testable import StructuredOperations

@Suite("OperationOutput")
struct OperationOutputTests {
  @Test("A value of any type comes back as it was given")
  func values() {
    #expect(OperationOutput(7).value(of: Int.self) == 7)
    #expect(OperationOutput("seven").value(of: String.self) == "seven")
    #expect(OperationOutput(Int?.none).value(of: Int?.self) == nil)
    #expect(OperationOutput([Int]()).value(of: [Int].self).isEmpty)
    #expect(OperationOutput(()).value(of: Void.self) == ())
  }

  @Test("An object is held as long as the output is there")
  func object() {
    final class Object: Sendable {}
    weak var object: Object?
    do {
      let made = Object()
      object = made
      let output = OperationOutput(made)
      #expect(output.value(of: Object.self) === made)
    }
    #expect(object == nil)
  }

  @Test("Another type than the one that was given stops the program")
  func mismatch() async {
    await #expect(processExitsWith: .failure) { _ = OperationOutput(7).value(of: String.self) }
    await #expect(processExitsWith: .failure) { _ = OperationOutput(()).value(of: String.self) }
  }
}
