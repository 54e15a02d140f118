/// Tells whether the calling thread delivers events, or is about to.
enum DeliveringThread {
  #if os(WASI)
    static func perform(_ body: () -> Void) { body() }
  #else
    /// Not nil while the thread delivers.
    private static let marker = ThreadLocalPointer()

    static var isCurrent: Bool { marker.value != nil }

    static func perform(_ body: () -> Void) {
      if isCurrent { return body() }
      marker.value = UnsafeMutableRawPointer(bitPattern: 1)
      body()
      marker.value = nil
    }
  #endif
}
