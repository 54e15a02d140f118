/// How much of a limit an operation needs.
struct LimitNeed: Equatable, Sendable {
  let limit: ConcurrencyLimit
  var cost: Int

  static func == (one: Self, other: Self) -> Bool { one.limit === other.limit && one.cost == other.cost }
}
