import Foundation

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
  private let queue = OperationQueue()

  init() { queue.maxConcurrentOperationCount = 4 }

  /// Calls back with the addresses whose files are not there.
  func save(
    _ urls: [URL],
    to folder: URL,
    completion: @escaping @Sendable ([URL]) -> Void
  ) {
    let downloads = urls.map(Download.init)
    let end = BlockOperation {
      let missing = downloads.filter { download in
        if case .success = download.result { false } else { true }
      }
      completion(missing.map(\.url))
    }
    for download in downloads {
      let save = BlockOperation {
        guard case .success(let data) = download.result else { return }
        let name = download.url.lastPathComponent
        try? data.write(to: folder.appending(path: name))
      }
      save.addDependency(download)
      end.addDependency(save)
      queue.addOperations([download, save], waitUntilFinished: false)
    }
    queue.addOperation(end)
  }
}
