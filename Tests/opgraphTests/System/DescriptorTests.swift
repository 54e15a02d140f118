import Foundation
import Testing

@testable import opgraph

/// Each claim in a process of its own, which closes its standard input and outputs.
@Suite("Descriptor")
struct DescriptorTests {
  @Test("Where the null device is missing, the numbers of closed standard descriptors are not given to others either")
  func missingDevice() async {
    await #expect(processExitsWith: .exitCode(7)) {
      for number: Int32 in 0...2 { close(number) }
      try Descriptor.reserveStandardNumbers(by: "/nowhere")
      guard try Descriptor.pipe().reading.number > 2 else { exit(1) }
      var byte: UInt8 = 0
      let isUseless = read(0, &byte, 1) < 0 && write(1, &byte, 1) < 0 && write(2, &byte, 1) < 0
      exit(isUseless ? 7 : 1)
    }
  }

  @Test("Where nothing can be opened for them, that is an error")
  func nothing() async {
    await #expect(processExitsWith: .exitCode(7)) {
      close(1)
      do {
        try Descriptor.reserveStandardNumbers(by: "/nowhere", or: "/nowhere")
      } catch {
        exit(error as? SystemError == SystemError(code: ENOENT) ? 7 : 1)
      }
    }
  }
}
