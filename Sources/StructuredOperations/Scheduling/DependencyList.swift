/// What one operation depends on, in the order of addition, each once.
///
/// An edge has a key, which the dependency hands back when it finishes. Keys grow, so the list is sorted by them and
/// a key is found in O(log n); a key that is no longer there belongs to an edge that was removed meanwhile. An
/// operation is found in O(1), for long lists by an index that short ones go without.
struct DependencyList<Operation> {
  typealias Key = Int

  struct Entry {
    let id: ObjectIdentifier
    let operation: Operation
    /// 48 bits of the key, which leave room for the rest.
    private let rawKey: (low: UInt32, high: UInt16)
    fileprivate(set) var requirement: DependencyRequirement
    fileprivate(set) var status: DependencyStatus

    var key: Key { Key(rawKey.high) << 32 | Key(rawKey.low) }

    fileprivate init(
      key: Key,
      id: ObjectIdentifier,
      operation: Operation,
      requirement: DependencyRequirement,
      status: DependencyStatus
    ) {
      rawKey = (UInt32(truncatingIfNeeded: key), UInt16(key >> 32))
      self.id = id
      self.operation = operation
      self.requirement = requirement
      self.status = status
    }
  }

  /// Sorted by key.
  private(set) var entries = ShortList<Entry>()
  /// The key of the next edge.
  private(set) var nextKey: Key = 0
  /// Complete where it exists, which is from ``indexedLength`` entries on.
  private var keys: [ObjectIdentifier: Key]?
  private static var indexedLength: Int { 8 }

  var isEmpty: Bool { entries.isEmpty }

  /// The first one that did not succeed as required.
  var firstFailed: Operation? { entries.first { $0.status == .failed }?.operation }

  func contains(_ id: ObjectIdentifier) -> Bool { position(of: id) != nil }

  /// Whether the edge with this key is there and its dependency has not finished.
  func isUnfinished(_ key: Key) -> Bool {
    position(of: key).map { entries[$0].status == .unfinished } ?? false
  }

  func operation(with id: ObjectIdentifier) -> Operation? { position(of: id).map { entries[$0].operation } }

  /// Adds one, or asks more of it where it is in the list already.
  ///
  /// - Parameter hasSucceeded: Tells whether it succeeded, nil where it has not finished. It is given the key of the
  ///   edge, nil where there is one already.
  /// - Returns: What it was, nil where it is new, and what it has become.
  mutating func add(
    _ operation: Operation,
    id: ObjectIdentifier,
    requirement: DependencyRequirement,
    hasSucceeded: (Key?) -> Bool?
  ) -> (before: DependencyStatus?, after: DependencyStatus?) {
    if contains(id) { return strengthen(id, to: requirement, hasSucceeded: hasSucceeded(nil)) }
    let status = DependencyStatus(of: requirement, hasSucceeded: hasSucceeded(nextKey))
    append(operation, id: id, requirement: requirement, status: status)
    return (nil, status)
  }

  /// Adds one that is not in the list, under ``nextKey``.
  mutating func append(
    _ operation: Operation,
    id: ObjectIdentifier,
    requirement: DependencyRequirement,
    status: DependencyStatus
  ) {
    let key = nextKey
    nextKey += 1
    entries.append(Entry(key: key, id: id, operation: operation, requirement: requirement, status: status))
    if keys != nil {
      keys?[id] = key
    } else if entries.count >= Self.indexedLength {
      keys = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0.key) })
    }
  }

  /// Asks more of one that is in the list already: the stronger requirement holds.
  ///
  /// - Parameter hasSucceeded: Nil where it has not finished.
  /// - Returns: What it was and what it has become.
  mutating func strengthen(
    _ id: ObjectIdentifier,
    to requirement: DependencyRequirement,
    hasSucceeded: Bool?
  ) -> (before: DependencyStatus?, after: DependencyStatus?) {
    guard let position = position(of: id) else { return (nil, nil) }
    let before = entries[position].status
    guard requirement == .success else { return (before, before) }
    entries[position].requirement = .success
    if hasSucceeded == false, before == .finished { entries[position].status = .failed }
    return (before, entries[position].status)
  }

  /// The dependency behind a key has finished.
  ///
  /// - Returns: What has become of it; nil where the edge had been removed.
  mutating func finished(_ key: Key, hasSucceeded: Bool) -> DependencyStatus? {
    guard let position = position(of: key), entries[position].status == .unfinished else { return nil }
    let status = DependencyStatus(of: entries[position].requirement, hasSucceeded: hasSucceeded)
    entries[position].status = status
    return status
  }

  /// Takes one out of the list; nil where it is not there (DP-19).
  mutating func remove(_ id: ObjectIdentifier) -> Entry? {
    guard let position = position(of: id) else { return nil }
    keys?[id] = nil
    return entries.remove(at: position)
  }

  /// Empties the list, and returns what was in it so that it can be freed elsewhere.
  mutating func removeAll() -> ShortList<Entry> {
    keys = nil
    return entries.removeEach()
  }

  private func position(of id: ObjectIdentifier) -> Int? {
    guard let keys else { return entries.firstIndex { $0.id == id } }
    return keys[id].flatMap(position(of:))
  }

  private func position(of key: Key) -> Int? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].key == key ? low : nil
  }
}

extension DependencyList: Sendable where Operation: Sendable {}
extension DependencyList.Entry: Sendable where Operation: Sendable {}
