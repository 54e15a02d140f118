import Foundation

/// Waits until a child of this process has exited, and does not reap it.
func waitForExit(of id: pid_t) async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      blockUntilExit(of: id)
      continuation.resume()
    }
  }
}

/// Blocks the calling thread until a child of this process has exited, and does not reap it.
func blockUntilExit(of id: pid_t) {
  var information = siginfo_t()
  // The loop of the tests has the process handle SIGCHLD, which interrupts any thread.
  while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
}
