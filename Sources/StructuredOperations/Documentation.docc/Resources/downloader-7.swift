import Foundation
import StructuredOperations

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Saves files from the network, four at a time.
struct Downloader {
  /// Is called with the part of the operations that have finished, from 0 to 1.
  var showProgress: @Sendable (Double) -> Void = { _ in }

  /// Returns the addresses whose files are not there, with the reasons.
  func save(_ urls: [URL], to folder: URL) async throws -> [URL: any Error] {
    var saves: [URL: AsyncOperation<Void>] = [:]
    try await withOperationQueue(maxConcurrentOperationCount: 4) { queue in
      for url in urls {
        let download = AsyncOperation { try await data(from: url) }
        let save = AsyncOperation(after: download) { data in
          try data.write(to: folder.appending(path: url.lastPathComponent))
        }
        await queue.add(download, save)
        saves[url] = save
      }
      for await snapshot in queue.states {
        showProgress(snapshot.fractionCompleted)
        if snapshot.operationCount == 0 { break }
      }
    }
    return saves.compactMapValues(\.error)
  }

  private func data(from url: URL) async throws -> Data {
    try await withOperationRetry(.constant(.seconds(1), attempts: 3)) {
      try await withOperationTimeout(.seconds(30)) {
        try await URLSession.shared.data(from: url).0
      }
    }
  }
}
