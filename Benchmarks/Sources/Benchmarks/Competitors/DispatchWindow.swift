import Dispatch

/// A concurrent Dispatch queue behind a semaphore of the same width: the hand-written solution without tasks.
///
/// Adding blocks the calling thread while the window is full, so there is never a backlog. Blocks have no states, and a
/// batch is added block by block.
struct DispatchWindow: Sendable {
  private let queue = DispatchQueue(label: "window", attributes: .concurrent)
  private let group = DispatchGroup()
  private let semaphore: DispatchSemaphore

  init(width: Int) {
    semaphore = DispatchSemaphore(value: width)
  }

  func add(_ body: @escaping @Sendable () -> Void) {
    semaphore.wait()
    queue.async(group: group) { [semaphore] in
      body()
      semaphore.signal()
    }
  }

  func waitUntilEmpty() {
    group.wait()
  }

  /// Runs a block a number of times.
  static func run(count: Int, width: Int, body: @escaping @Sendable () -> Void) async {
    await BlockingThread.run {
      let window = DispatchWindow(width: width)
      for _ in 0..<count { window.add(body) }
      window.waitUntilEmpty()
    }
  }
}
