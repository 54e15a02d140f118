/// The pools of a graph, with the launchers of those that have one.
struct PoolTable {
  private(set) var pools: [Graph.Pool] = []
  /// Has every pool, also those whose depth cannot be read: who names one is not to blame for what is wrong in it.
  private var launchers: [String: [String]?] = [:]

  init() {}

  /// Reads the pools; notes what is wrong with them.
  init(_ value: JSONValue, values: inout ValueReader) {
    for member in values.members(value, "pools") ?? [] {
      guard let name = values.name(member.key, "pools", at: member.offset) else { continue }
      launchers[name] = .some(nil)
      var depth: JSONValue? = member.value
      if case .object = member.value.kind {
        guard let object = values.object(member.value, keys: PoolKey.allCases) else { continue }
        let launcher = object[.launcher].flatMap { values.strings($0, "launcher") }
        launchers[name] = .some(launcher?.strings)
        depth = values.required(.depth, in: object)
      }
      if let depth = depth.flatMap({ values.number($0, name, in: .count) }) {
        pools.append(Graph.Pool(name: name, depth: Int(depth)))
      }
    }
  }

  /// The launcher of the first pool that has one.
  func launcher(of names: [String]) -> [String]? {
    for name in names {
      if case .some(.some(let launcher)) = launchers[name] { return launcher }
    }
    return nil
  }

  /// Notes names of pools that there are not, and those that stand twice.
  func check(_ names: [String], at offsets: some Sequence<Int>, _ mistakes: inout Mistakes) {
    var seen: Set<String> = []
    for (name, offset) in zip(names, offsets) {
      if !seen.insert(name).inserted {
        mistakes.add(at: offset, "the pool \(name.quoted) stands twice")
      } else if launchers[name] == nil {
        let launchers = launchers
        mistakes.add(
          at: offset,
          // Sorted, so that of several near names it is always the same one.
          "unknown pool \(name.quoted)" + (NearName.suggestion(for: name, in: launchers.keys.sorted()) ?? ""))
      }
    }
  }
}
