import Foundation
import Testing

@testable import opgraph

@Suite("ProgramExit")
struct ProgramExitTests {
  @Test("A signal that is caught, and blocked on the thread, ends the program as if it were neither")
  func signal() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      Foundation.signal(SIGTERM) { _ in }
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, SIGTERM)
      pthread_sigmask(SIG_BLOCK, &set, nil)
      ProgramExit().exit(bySignal: SIGTERM)
    }
  }

  @Test("A signal that would leave a core file becomes a status")
  func core() async {
    await #expect(processExitsWith: .exitCode(128 + SIGQUIT)) { ProgramExit().exit(bySignal: SIGQUIT) }
    await #expect(processExitsWith: .exitCode(128 + SIGXCPU)) { ProgramExit().exit(bySignal: SIGXCPU) }
  }
}
