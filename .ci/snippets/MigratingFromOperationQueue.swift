// What the code of the article takes as given.

import Foundation
import StructuredOperations
import StructuredOperationsFoundation

struct Image: Sendable {
  init(_ data: Data) {}
  func scaled(by factor: Double) throws -> Image { self }
}

/// A request of an interface that calls back.
struct OldTask: Sendable {
  func cancel() {}
}

@discardableResult
func oldFetch(_ url: URL, then call: @escaping @Sendable (Result<Data, any Error>) -> Void) -> OldTask { OldTask() }
func fetch(_ url: URL) async throws -> Data { Data() }
func removeTemporaryFiles() {}
func updateIndex() {}
func compact() {}
func log(_ text: String) {}
@Sendable func show(_ image: Image) {}
@MainActor func showProgress() {}

final class Download: Operation, @unchecked Sendable {
  var result: Result<Data, any Error>?
  init(_ url: URL) {}
}

let url = URL(filePath: "/page")
let photo = Image(Data())
let queue = AsyncOperationQueue()
let oldQueue = OperationQueue()
let report = BlockOperation {}
let old = Download(url)
let download = AsyncOperation { try await fetch(url) }
let resize = AsyncOperation(after: download) { data in Image(data) }
