// What the code in the documentation comments takes as given.

import Foundation
import StructuredOperations

struct Text: Sendable {}
struct Style: Sendable {}
struct Page: Sendable {}
struct File: Sendable {}
struct Image: Sendable {
  func scaled(by factor: Double) throws -> Image { self }
}
struct NetworkError: Error {}
struct Decoder: Sendable {
  func decode(_ data: Data, then handler: @escaping @Sendable (Result<Image, any Error>) -> Void) {}
}
struct Server: Sendable {
  func store(_ file: File) async throws -> URL { url }
}
struct Document: Sendable {
  func saveInBackground(then handler: @escaping @Sendable ((any Error)?) -> Void) {}
}
struct Session: Sendable {
  func data(for request: Data) async throws -> Data { Data() }
}
@MainActor final class Model {
  var pages: [Page] = []
}
@MainActor final class Label {
  var text = ""
}

func fetch(_ url: URL) async throws -> Data { Data() }
func fetch(_ url: URL, _ attempt: Int) async throws -> Data { Data() }
func index(_ url: URL) async throws {}
func render(_ data: Data) throws -> Image { Image() }
func render(_ text: Text, _ style: Style) throws -> Page { Page() }
func render(_ text: Data, _ style: Style) throws -> Page { Page() }
func readText() throws -> Text { Text() }
func readStyle() throws -> Style { Style() }
func readArchive() throws -> Data { Data() }
func readWholeFile(_ path: String) throws -> String { "" }
func createFolders() throws {}
func join(_ parts: [Data]) -> Data { Data() }
func digest(_ file: File) -> Int { 0 }
func makeRequest() -> Data { Data() }
func decode(_ data: Data) -> Text { Text() }
func store(_ data: Data) throws {}
func send(_ data: Data) async throws {}
func log(_ error: any Error) {}

let url = URL(filePath: "/")
let urls = [url]
let imageURL = url
let pageURL = url
let path = "/"
let file = File()
let image = Image()
let first = Data()
let second = Data()
let page = Page()
let decoder = Decoder()
let server = Server()
let object = Document()
let session = Session()
@MainActor let model = Model()
@MainActor let label = Label()

let queue = AsyncOperationQueue()
let images = AsyncOperationQueue()
let pages = AsyncOperationQueue()
// A chain whose last operation nobody has added: resize waits for it through two more.
let login = AsyncOperation(name: "login") {}
let chain = [AsyncOperation(name: "token") {}, AsyncOperation(name: "download") {}]
let download = AsyncOperation { Data() }
let resize = AsyncOperation(name: "resize") { image }
let upload = {
  let upload = AsyncOperation(name: "upload") { url }
  let operations: [any OperationProtocol] = [login] + chain + [resize, upload]
  for (operation, other) in zip(operations.dropFirst(), operations) {
    _ = try? operation.addDependency(other)
  }
  queue.add(chain + [resize, upload])
  return upload
}()
let counts = [AsyncOperation { 1 }]
