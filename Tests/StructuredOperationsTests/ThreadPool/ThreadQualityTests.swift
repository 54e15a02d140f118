import Testing
import TestSupport

@testable import StructuredOperations

#if canImport(Darwin)
  import Darwin
#endif

@Suite("ThreadQuality", .hangGuard)
struct ThreadQualityTests {
  @Test(
    "A priority between two levels has the quality of the lower one, and one that is not specified the default",
    arguments: [
      (0, .default), (1, .background), (9, .background), (16, .background), (17, .utility), (20, .utility),
      (21, .default), (24, .default), (25, .userInitiated), (32, .userInitiated), (33, .userInteractive),
      (255, .userInteractive),
    ] as [(UInt8, ThreadQuality)])
  func levels(rawPriority: UInt8, quality: ThreadQuality) {
    #expect(ThreadQuality(rawPriority: rawPriority) == quality)
  }

  #if canImport(Darwin)
    @Test("The thread of a body has the quality of its priority, and the default one afterwards")
    func threads() {
      let classes: [(ThreadQuality, qos_class_t)] = [
        (.background, QOS_CLASS_BACKGROUND), (.utility, QOS_CLASS_UTILITY), (.userInitiated, QOS_CLASS_USER_INITIATED),
      ]
      for (quality, expected) in classes {
        let found = Locked<[UInt32]>([])
        let isStarted = PlatformThread.start {
          quality.apply { found.append(qos_class_self().rawValue) }
          found.append(qos_class_self().rawValue)
        }
        #expect(isStarted)
        while found.current.count < 2 {}
        #expect(found.current == [expected.rawValue, QOS_CLASS_DEFAULT.rawValue])
      }
    }
  #endif
}
