import Testing

@testable import opgraph

@Suite("GraphFile")
struct GraphFileTests {
  @Test(
    "The graph's directories are relative to the file's folder",
    arguments: [
      ("a.json", "."), ("sub/a.json", "sub/"), ("/a.json", "/"), ("../x/a.json", "../x/"), ("-", "."),
      ("/dev/stdin", "."), ("/dev/fd/63", "."), ("//dev/./fd/3", "."), ("/proc/self/fd/0", "."),
      ("/proc/1/task/1/fd/9", "."), ("/dev/shm/a.json", "/dev/shm/"), ("dev/fd/3", "dev/fd/"),
      ("/proc/fd/a.json", "/proc/fd/"), ("x/y\u{301}/\u{301}.json", "x/y\u{301}/"),
    ])
  func directory(argument: String, directory: String) {
    #expect(GraphFile(argument: argument).directory == directory)
  }

  @Test(
    "The title of a report has the name of the file without its folder",
    arguments: [
      ("a.json", "a.json"), ("../x/a.json", "a.json"), ("-", "standard input"), ("/dev/fd/63", "/dev/fd/63"),
      ("/", "/"),
    ])
  func shortName(argument: String, name: String) {
    #expect(GraphFile(argument: argument).shortName == name)
  }

  @Test("A file that is not there is bad input, in the system's words")
  func missing() {
    let error = #expect(throws: InputError.self) { try GraphFile(argument: "/nowhere/a.json").graph() }
    #expect(error?.description == "/nowhere/a.json: cannot be read: No such file or directory")
  }
}
