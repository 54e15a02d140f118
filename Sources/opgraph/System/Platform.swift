// The C library, for all files of the tool.
//
// Foundation has more in it, but with it a run takes 9 MB more memory, and begins some milliseconds later.

#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#endif

// Functions of the system that methods of the same names hide.

func systemRead(_ number: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int { read(number, bytes, count) }

func systemWrite(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(number, bytes, count) }

func systemClose(_ number: Int32) -> Int32 { close(number) }

func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }

func systemPoll(_ requests: UnsafeMutablePointer<pollfd>?, _ count: nfds_t, _ milliseconds: Int32) -> Int32 {
  poll(requests, count, milliseconds)
}

func systemRename(_ path: String, _ newPath: String) -> Int32 { rename(path, newPath) }

func systemExit(_ status: Int32) -> Never { exit(status) }
