import Foundation

/// A validator of the part of JSON Schema that the schema of graphs uses.
struct JSONSchema {
  /// A keyword that the validator does not know.
  struct UnknownKeyword: Error {
    let keyword: String
  }

  let root: [String: Any]

  init(contentsOf url: URL) throws {
    root = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
  }

  func accepts(_ text: String) throws -> Bool {
    try accepts(JSONSerialization.jsonObject(with: Data(text.utf8)), root)
  }

  /// The schema at a path of keys, such as `["$defs", "pool"]`.
  func part(_ path: [String]) -> [String: Any] {
    path.reduce(root) { $0[$1] as? [String: Any] ?? [:] }
  }

  /// The keys of all objects in the schema, and whether each of them has a description.
  var descriptions: [(key: String, isDescribed: Bool)] {
    func collect(_ value: Any) -> [(String, Bool)] {
      switch value {
      case let object as [String: Any]:
        let properties = (object["properties"] as? [String: Any] ?? [:]).map { key, value in
          // What only names another place is described there.
          let reference = ((value as? [String: Any])?["$ref"] as? String).map { $0.contains("/properties/") } ?? false
          return (key, reference || (value as? [String: Any])?["description"] != nil)
        }
        return properties + object.values.flatMap(collect)
      case let array as [Any]: return array.flatMap(collect)
      default: return []
      }
    }
    return collect(root)
  }

  private func accepts(_ value: Any, _ schema: [String: Any]) throws -> Bool {
    try schema.allSatisfy { keyword, rule in
      switch (keyword, rule) {
      case ("description", _), ("title", _), ("$schema", _), ("$defs", _): true
      case ("$ref", let path as String):
        try accepts(value, part(path.split(separator: "/").dropFirst().map(String.init)))
      case ("anyOf", let schemas as [[String: Any]]): try schemas.contains { try accepts(value, $0) }
      case ("type", let type as String): Self.type(value, is: type)
      case ("enum", let values as [String]): (value as? String).map(values.contains) ?? false
      case ("pattern", let pattern as String):
        (value as? String).map { $0.range(of: pattern, options: .regularExpression) != nil } ?? true
      case ("minimum", let limit as Double): Self.number(value).map { $0 >= limit } ?? true
      case ("maximum", let limit as Double): Self.number(value).map { $0 <= limit } ?? true
      case ("exclusiveMinimum", let limit as Double): Self.number(value).map { $0 > limit } ?? true
      case ("items", let schema as [String: Any]):
        try (value as? [Any] ?? []).allSatisfy { try accepts($0, schema) }
      case ("uniqueItems", true as Bool):
        (value as? [Any] ?? []).map { "\($0)" }.count == Set((value as? [Any] ?? []).map { "\($0)" }).count
      case ("required", let keys as [String]):
        (value as? [String: Any]).map { object in keys.allSatisfy { object[$0] != nil } } ?? true
      case ("properties", let schemas as [String: [String: Any]]):
        try (value as? [String: Any] ?? [:]).allSatisfy { key, value in
          try schemas[key].map { try accepts(value, $0) } ?? true
        }
      case ("propertyNames", let schema as [String: Any]):
        try (value as? [String: Any] ?? [:]).keys.allSatisfy { try accepts($0, schema) }
      case ("additionalProperties", false as Bool):
        Set((value as? [String: Any] ?? [:]).keys).isSubset(of: (schema["properties"] as? [String: Any] ?? [:]).keys)
      case ("additionalProperties", let schema as [String: Any]):
        try (value as? [String: Any] ?? [:]).values.allSatisfy { try accepts($0, schema) }
      default: throw UnknownKeyword(keyword: keyword)
      }
    }
  }

  private static func type(_ value: Any, is type: String) -> Bool {
    switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "boolean": isBoolean(value)
    case "null": value is NSNull
    case "number": number(value) != nil
    case "integer": number(value).map { $0 == $0.rounded() } ?? false
    default: false
    }
  }

  /// Foundation keeps booleans and numbers in the same class.
  private static func isBoolean(_ value: Any) -> Bool {
    (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
  }

  private static func number(_ value: Any) -> Double? {
    isBoolean(value) ? nil : (value as? NSNumber)?.doubleValue
  }
}
