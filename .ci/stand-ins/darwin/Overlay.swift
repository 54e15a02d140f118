// What Apple's module `Darwin` adds in Swift to its headers, of which the tool calls this.
//
// Only for the type check of `.ci/apple-availability`.

@_exported import Darwin

public var errno: Int32 {
  get { 0 }
  set {}
}

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { 0 }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { 0 }
public func fcntl(_ number: Int32, _ command: Int32) -> Int32 { 0 }
public func fcntl(_ number: Int32, _ command: Int32, _ value: Int32) -> Int32 { 0 }
public func ioctl(_ number: Int32, _ request: UInt, _ pointer: UnsafeMutableRawPointer) -> Int32 { 0 }

public var TIOCGWINSZ: UInt { 0x4008_7468 }
public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { unsafeBitCast(1, to: sig_t.self) }
public var S_IFMT: mode_t { 0o170000 }
public var S_ISVTX: mode_t { 0o001000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }
