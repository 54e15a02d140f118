import Foundation
import StructuredOperations

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Saves files from the network, four at a time.
final class Downloader: Sendable {
  private let queue = AsyncOperationQueue(maxConcurrentOperationCount: 4)

  /// Returns the addresses whose files are not there.
  func save(_ urls: [URL], to folder: URL) async -> [URL] {
    var saves: [AsyncOperation<Void>] = []
    for url in urls {
      let download = AsyncOperation {
        try await URLSession.shared.data(from: url).0
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
