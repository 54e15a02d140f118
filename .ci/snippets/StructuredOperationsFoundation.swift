// What the code of the article takes as given.

import Foundation
import StructuredOperations

final class DownloadOperation: Operation, @unchecked Sendable {
  private(set) var result: Result<Data, any Error> = .success(Data())
  init(_ url: URL) {}
}
struct Image: Sendable {}

func render(_ data: Data) throws -> Image { Image() }
let queue = AsyncOperationQueue()
let oldQueue = OperationQueue()
let report = BlockOperation {}
let url = URL(filePath: "/")
