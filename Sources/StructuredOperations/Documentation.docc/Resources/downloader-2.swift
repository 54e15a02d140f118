import Foundation
import StructuredOperations
import StructuredOperationsFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Downloads one file.
///
/// Unchecked, as its superclass is: the lock guards the phase, and
/// the result is written before the operation finishes, and read
/// afterwards.
final class Download: Operation, @unchecked Sendable {
  let url: URL
  private(set) var result = Result<Data, any Error>.failure(URLError(.unknown))
  private let lock = NSLock()
  private var phase = (isExecuting: false, isFinished: false)

  init(_ url: URL) { self.url = url }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { lock.withLock { phase.isExecuting } }
  override var isFinished: Bool { lock.withLock { phase.isFinished } }

  override func start() {
    guard !isCancelled else { return finish() }
    change(isExecuting: true, isFinished: false)
    let task = URLSession.shared.dataTask(with: url) { data, _, error in
      if let data { self.result = .success(data) }
      if let error { self.result = .failure(error) }
      self.finish()
    }
    task.resume()
  }

  private func finish() { change(isExecuting: false, isFinished: true) }

  private func change(isExecuting: Bool, isFinished: Bool) {
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    lock.withLock { phase = (isExecuting, isFinished) }
    didChangeValue(forKey: "isFinished")
    didChangeValue(forKey: "isExecuting")
  }
}

/// Saves files from the network, four at a time.
final class Downloader: Sendable {
  private let queue = AsyncOperationQueue(maxConcurrentOperationCount: 4)

  /// Returns the addresses whose files are not there.
  func save(_ urls: [URL], to folder: URL) async -> [URL] {
    var saves: [AsyncOperation<Void>] = []
    for url in urls {
      let download = AsyncOperation(running: Download(url)) { old in
        try old.result.get()
      }
      let save = AsyncOperation(after: download) { data in
        try data.write(to: folder.appending(path: url.lastPathComponent))
      }
      await queue.add(download, save)
      saves.append(save)
    }
    for save in saves { await save.waitUntilFinished() }
    return zip(urls, saves).filter { $1.error != nil }.map(\.0)
  }
}
