import Dispatch

/// A concurrent Dispatch queue behind a semaphore of the same width: what is written by hand without tasks.
///
/// Whoever adds is held while the window is full, so there never is a backlog. Nothing can be told of a block, and a
/// batch is the same as one block after the other.
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

  /// Runs one block so many times.
  static func run(count: Int, width: Int, body: @escaping @Sendable () -> Void) async {
    await BlockingThread.run {
      let window = DispatchWindow(width: width)
      for _ in 0..<count { window.add(body) }
      window.waitUntilEmpty()
    }
  }
}
