import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A web server of this machine for one test: counts the requests that are under way, of each host and of all.
///
/// Each host is a port of its own. `/page/n` is answered once a second request of the host is under way, or after 50 ms;
/// `/busy/n` is refused with 503 at first; `/hung/n` gets no answer at first, until the client gives up.
///
/// Unchecked: sockets are numbers, and all else is behind a lock.
final class LocalServer: @unchecked Sendable {
  struct Count: Sendable {
    var running: [Int: Int] = [:]
    var peaks: [Int: Int] = [:]
    var total = 0
    var totalPeak = 0
    var requests: [String: Int] = [:]
    var hung = 0
  }

  let ports: [Int]
  private let sockets: [Int32]
  private let condition = NSCondition()
  private var state = Count()

  init(hosts: Int) throws {
    let opened = try (0..<hosts).map { _ in try Self.listeningSocket() }
    sockets = opened.map(\.socket)
    ports = opened.map(\.port)
    for (socket, port) in opened {
      Thread.detachNewThread { [self] in
        while true {
          let connection = accept(socket, nil, nil)
          if connection < 0 { return }
          Thread.detachNewThread { self.serve(connection, of: port) }
        }
      }
    }
  }

  var count: Count { locked { state } }

  /// Ends the threads that accept.
  func close() {
    for socket in sockets {
      _ = shutdown(socket, Int32(SHUT_RDWR))
      closeSocket(socket)
    }
  }

  // MARK: Requests

  private func serve(_ connection: Int32, of port: Int) {
    defer { closeSocket(connection) }
    guard let path = Self.readPath(connection) else { return }
    let number = locked {
      state.requests["\(port)\(path)", default: 0] += 1
      return state.requests["\(port)\(path)", default: 0]
    }
    if path.hasPrefix("/hung/"), number == 1 {
      locked { state.hung += 1 }
      // Until the client closes.
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
      return
    }
    begin(port)
    end(port)
    let isRefused = path.hasPrefix("/busy/") && number == 1
    Self.answer(connection, isRefused ? "503 Service Unavailable" : "200 OK", "\(port)\(path)")
  }

  /// Counts a request, and waits for company.
  private func begin(_ port: Int) {
    condition.lock()
    defer { condition.unlock() }
    state.running[port, default: 0] += 1
    state.total += 1
    state.peaks[port] = max(state.peaks[port, default: 0], state.running[port, default: 0])
    state.totalPeak = max(state.totalPeak, state.total)
    condition.broadcast()
    let deadline = Date(timeIntervalSinceNow: 0.05)
    while state.running[port, default: 0] < 2, condition.wait(until: deadline) {}
  }

  private func end(_ port: Int) {
    locked {
      state.running[port, default: 0] -= 1
      state.total -= 1
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }

  // MARK: Sockets

  private static func listeningSocket() throws -> (socket: Int32, port: Int) {
    #if canImport(Glibc)
      let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let number = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(number, pointer, size) == 0 && listen(number, 64) == 0 && getsockname(number, pointer, &size) == 0
      }
    }
    guard number >= 0, isOpen else { throw Failure() }
    return (number, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Reads the head of a request; nil where the client has gone.
  private static func readPath(_ connection: Int32) -> String? {
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1_024)
    while !String(decoding: head, as: UTF8.self).contains("\r\n\r\n") {
      let count = recv(connection, &buffer, buffer.count, 0)
      if count <= 0 { return nil }
      head += buffer.prefix(count)
    }
    let words = String(decoding: head, as: UTF8.self).split(separator: " ")
    return words.count > 1 ? String(words[1]) : nil
  }

  private static func answer(_ connection: Int32, _ status: String, _ text: String) {
    let lines = ["HTTP/1.1 \(status)", "Content-Length: \(text.utf8.count)", "Connection: close", "", text]
    let answer = Array(lines.joined(separator: "\r\n").utf8)
    #if canImport(Glibc)
      _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
    #elseif canImport(Darwin)
      var isOn: Int32 = 1
      setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
      _ = send(connection, answer, answer.count, 0)
    #endif
  }

  private func closeSocket(_ socket: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(socket)
    #else
      _ = Darwin.close(socket)
    #endif
  }
}
