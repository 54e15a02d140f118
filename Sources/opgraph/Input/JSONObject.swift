/// The values of a JSON object by its keys, of which it has each one at most once and no others.
///
/// A list, not a dictionary: there are few keys, and an object for each of many operations.
struct JSONObject<Key: RawRepresentable<String>> {
  let offset: Int
  let members: [JSONValue.Member]

  subscript(_ key: Key) -> JSONValue? {
    members.first { $0.key == key.rawValue }?.value
  }
}
