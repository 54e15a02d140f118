import StructuredOperations
import Testing

@Suite("OperationStartRate")
struct OperationStartRateTests {
  @Test("It knows its count and its stretch of time")
  func properties() {
    let rate = OperationStartRate(20, per: .seconds(1))
    #expect(rate.count == 20)
    #expect(rate.duration == .seconds(1))
    #expect(rate == OperationStartRate(20, per: .milliseconds(1_000)))
  }

  @Test("No starts, and no time, stop the program with a message")
  func wrong() async {
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OperationStartRate(0, per: .seconds(1))
    }
    #expect(
      none.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?.contains("0 is no number of starts")
        == true)
    let noTime = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OperationStartRate(1, per: .zero)
    }
    #expect(
      noTime.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?.contains("is no stretch of time") == true
    )
  }
}
