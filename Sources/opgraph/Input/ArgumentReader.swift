/// Splits arguments into options and operands, as `getopt_long` does: `-j4`, `-j 4`, `--jobs=4`, `--jobs 4`, `-nq`, and
/// after `--` operands only.
struct ArgumentReader: Sendable {
  /// A part of the command line.
  enum Item: Equatable {
    /// - Parameter name: The option as it was written, for messages.
    case option(Option, name: String, value: String?)
    case operand(String)
  }

  private var rest: ArraySlice<String>
  /// The short options of the last argument that have not been read yet: of `-nq`, after `-n`, the letter `q`.
  private var letters: Substring = ""
  private var hasOperandsOnly = false

  init(_ arguments: [String]) {
    rest = arguments[...]
  }

  /// The next part; nil at the end.
  ///
  /// Throws ``InputError``.
  mutating func next() throws -> Item? {
    if let letter = letters.popFirst() { return try short(letter) }
    guard let argument = rest.popFirst() else { return nil }
    if hasOperandsOnly || argument == "-" || !argument.hasPrefix("-") { return .operand(argument) }
    if argument == "--" {
      hasOperandsOnly = true
      return try next()
    }
    if argument.hasPrefix("--") { return try long(argument) }
    letters = argument.dropFirst()
    return try next()
  }

  private mutating func short(_ letter: Character) throws -> Item {
    let name = "-\(letter)"
    guard let option = Option.allCases.first(where: { $0.letter == letter }) else {
      throw InputError("unknown option \(name.quoted); opgraph --help shows the usage")
    }
    guard option.value != .none else { return .option(option, name: name, value: nil) }
    let value = letters.isEmpty ? rest.popFirst() : String(letters)
    letters = ""
    guard let value else { throw InputError("\(name) needs a value") }
    return .option(option, name: name, value: value)
  }

  private mutating func long(_ argument: String) throws -> Item {
    let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = "--\(parts[0])"
    var value = parts.count > 1 ? String(parts[1]) : nil
    guard let option = Option(rawValue: String(parts[0])) else {
      let known = Option.allCases.map { "--\($0.rawValue)" }
      throw InputError(
        "unknown option \(name.quoted)"
          + (NearName.suggestion(for: name, in: known) ?? "; opgraph --help shows the usage"))
    }
    switch option.value {
    case .none:
      guard value == nil else { throw InputError("\(name) takes no value") }
    case .optional:
      break
    case .required:
      value = value ?? rest.popFirst()
      guard value != nil else { throw InputError("\(name) needs a value") }
    }
    return .option(option, name: name, value: value)
  }
}
