// What the code in the documentation comments takes as given.

import Foundation
import StructuredOperations

final class DownloadOperation: Operation, @unchecked Sendable {
  private(set) var result: Result<Data, any Error> = .success(Data())
  init(_ url: URL) {}
}
struct Image: Sendable {}
struct Window {
  let progress = Progress(totalUnitCount: 1)
}

func fetch(_ url: URL) async throws -> Data { Data() }
func render(_ data: Data) throws -> Image { Image() }
let window = Window()
let queue = AsyncOperationQueue()
let oldQueue = OperationQueue()
let report = BlockOperation {}
let url = URL(filePath: "/")
