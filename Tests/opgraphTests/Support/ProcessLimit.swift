import Foundation

/// Runs a program with a limit for the number of its processes and threads together.
///
/// The system counts those of one user, and does not limit the superuser.
struct ProcessLimit {
  /// How many the program may have, itself included.
  let count: Int

  private static let programs = ["/usr/bin/prlimit", "/usr/bin/setpriv"]

  static var isAvailable: Bool { programs.allSatisfy(FileManager.default.isExecutableFile(atPath:)) }

  /// The start of the command line that the program and its arguments follow.
  var arguments: [String] {
    guard getuid() == 0 else {
      // Any process of the user is one too many where the program may have only itself.
      return [Self.programs[0], "--nproc=\(count == 1 ? 1 : Self.ownCount + count)"]
    }
    // A user without other processes, who has still the rights of the superuser but that of exceeding limits.
    let user = Int.random(in: 1_000_000...2_000_000_000)
    return [
      Self.programs[0], "--nproc=\(count)",
      Self.programs[1], "--ruid", "\(user)", "--bounding-set", "-sys_resource,-sys_admin",
    ]
  }

  /// The number of threads of this user, in all processes.
  private static var ownCount: Int {
    let files = FileManager.default
    let ids = (try? files.contentsOfDirectory(atPath: "/proc")) ?? []
    return ids.filter { Int($0) != nil }.reduce(0) { count, id in
      let owner = try? files.attributesOfItem(atPath: "/proc/\(id)")[.ownerAccountID] as? Int
      guard owner == Int(getuid()) else { return count }
      return count + ((try? files.contentsOfDirectory(atPath: "/proc/\(id)/task").count) ?? 0)
    }
  }
}
