/// What one operation depends on, in the order of addition, each once.
///
/// An edge has a key, which the dependency hands back when it finishes. Keys grow, so the list is sorted by them and
/// a key is found in O(log n), or in O(1) as long as no edge was removed; a key that is no longer there belongs to an edge
/// that was removed meanwhile. An operation is found in O(1), for long lists by an index, which is made when an edge is first
/// looked for that is to be added or removed.
struct DependencyList<Operation> {
  typealias Key = Int

  struct Entry {
    let id: ObjectIdentifier
    var operation: Operation
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
  /// How many dependencies have not finished.
  private var unfinishedCount: UInt32 = 0
  /// How many dependencies have finished without the success that was required.
  private var failedCount: UInt32 = 0
  /// Complete where it exists.
  private var keys: [ObjectIdentifier: Key]?
  /// Lists that are shorter are gone through.
  static var indexedLength: Int { 8 }

  /// Whether an operation is looked for by an index, which takes more than to go through a few.
  var isLong: Bool { entries.count >= Self.indexedLength }

  // MARK: Queries

  /// What the dependencies make of the operation.
  var readiness: OperationReadiness {
    if failedCount > 0 { return .skipped }
    return unfinishedCount > 0 ? .blocked : .ready
  }

  /// The first one that did not succeed as required.
  var firstFailed: Operation? { entries.first { $0.status == .failed }?.operation }

  /// Whether the edge with this key exists and its dependency has not finished.
  func isUnfinished(_ key: Key) -> Bool {
    position(of: key).map { entries[$0].status == .unfinished } ?? false
  }

  func operation(of key: Key) -> Operation? { position(of: key).map { entries[$0].operation } }

  func operation(with id: ObjectIdentifier) -> Operation? { position(of: id).map { entries[$0].operation } }

  // MARK: Inputs

  /// The key that the edge to an operation gets; nil where there is one already.
  mutating func newKey(for id: ObjectIdentifier) -> Key? { indexedPosition(of: id) == nil ? nextKey : nil }

  /// Adds a dependency that is not in the list.
  ///
  /// - Parameters:
  ///   - key: The next one.
  ///   - hasSucceeded: Whether it succeeded; nil if it has not finished.
  mutating func append(
    _ operation: Operation,
    id: ObjectIdentifier,
    key: Key,
    requirement: DependencyRequirement,
    hasSucceeded: Bool?
  ) {
    precondition(key == nextKey, "an edge was added under key \(key), and the next one is \(nextKey)")
    let status = DependencyStatus(of: requirement, hasSucceeded: hasSucceeded)
    nextKey += 1
    entries.append(Entry(key: key, id: id, operation: operation, requirement: requirement, status: status))
    count(status, +)
    if keys != nil { keys?[id] = key }
  }

  /// The stronger requirement of two holds for a dependency that is in the list.
  mutating func strengthen(_ id: ObjectIdentifier, to requirement: DependencyRequirement, hasSucceeded: Bool?) {
    guard requirement == .success, let position = indexedPosition(of: id) else { return }
    entries.modify(at: position) { $0.requirement = .success }
    if hasSucceeded == false, entries[position].status == .finished { setStatus(.failed, at: position) }
  }

  /// The dependency behind a key has finished.
  ///
  /// - Returns: What has become of it; nil if the edge had been removed, or had been told before.
  @discardableResult
  mutating func finished(_ key: Key, hasSucceeded: Bool) -> DependencyStatus? {
    guard let position = position(of: key), entries[position].status == .unfinished else { return nil }
    setStatus(DependencyStatus(of: entries[position].requirement, hasSucceeded: hasSucceeded), at: position)
    return entries[position].status
  }

  /// - Returns: What was removed; nil if there is no such dependency.
  mutating func remove(_ id: ObjectIdentifier) -> Entry? {
    guard let position = indexedPosition(of: id) else { return nil }
    keys?[id] = nil
    count(entries[position].status, -)
    return entries.remove(at: position)
  }

  /// Empties the list, and returns what was in it so that it can be freed elsewhere.
  mutating func removeAll() -> ShortList<Entry> {
    keys = nil
    unfinishedCount = 0
    failedCount = 0
    return entries.removeEach()
  }

  // MARK: Helpers

  private mutating func setStatus(_ status: DependencyStatus, at position: Int) {
    count(entries[position].status, -)
    count(status, +)
    entries.modify(at: position) { $0.status = status }
  }

  private mutating func count(_ status: DependencyStatus, _ change: (UInt32, UInt32) -> UInt32) {
    switch status {
    case .unfinished: unfinishedCount = change(unfinishedCount, 1)
    case .failed: failedCount = change(failedCount, 1)
    case .finished: break
    }
  }

  /// As ``position(of:)``, and makes the index.
  private mutating func indexedPosition(of id: ObjectIdentifier) -> Int? {
    if isLong, keys == nil { keys = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0.key) }) }
    return position(of: id)
  }

  private func position(of id: ObjectIdentifier) -> Int? {
    guard let keys else { return entries.firstIndex { $0.id == id } }
    // Not `flatMap`: its closure would copy the list.
    guard let key = keys[id] else { return nil }
    return position(of: key)
  }

  private func position(of key: Key) -> Int? {
    if key < entries.count, entries.read(at: key, { $0.key }) == key { return key }
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
