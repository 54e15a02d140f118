/// How many processors there are for the tool and its commands.
enum ProcessorCount {
  static var available: Int { ofThisProcess ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  #if canImport(Glibc)
    /// May be fewer than there are: in a container, or under `taskset`.
    private static var ofThisProcess: Int? {
      // As for 1024 processors; where there are more, the call fails.
      var set = [UInt64](repeating: 0, count: 16)
      guard let getAffinity, getAffinity(0, set.count * MemoryLayout<UInt64>.size, &set) == 0 else { return nil }
      return set.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    private typealias Function = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32

    /// Looked up by name, with the type that it has in the header, which declares it only for programs that define
    /// `_GNU_SOURCE`, so that Swift does not import it.
    private static let getAffinity = dlsym(nil, "sched_getaffinity").map { unsafeBitCast($0, to: Function.self) }
  #else
    private static var ofThisProcess: Int? { nil }
  #endif
}
