/// The value of an option, read as what it should be; throws ``InputError`` with the option's name.
struct OptionValue {
  private let name: String
  private let text: String?

  /// - Parameter name: The option as it was written.
  init(_ name: String, _ text: String?) {
    self.name = name
    self.text = text
  }

  var isMissing: Bool { text == nil }

  /// A whole number.
  func number(from minimum: Int) throws -> Int {
    guard let number = Int(text ?? ""), number >= minimum, Double(number) <= NumberRange.maximum else {
      throw unexpected("a number \(bound(from: minimum))")
    }
    return number
  }

  func seconds() throws -> Duration {
    guard let number = Double(text ?? ""), NumberRange.delay.contains(number) else {
      throw unexpected("a number of seconds \(bound(from: 0))")
    }
    return .seconds(number)
  }

  /// The bound that the value is beyond; as with the keys of a file the upper one is told only of what is above it.
  private func bound(from minimum: Int) -> String {
    if let number = Double(text ?? ""), number > NumberRange.maximum { return "up to \(Int(NumberRange.maximum))" }
    return "from \(minimum) up"
  }

  func path() throws -> String {
    guard let text, !text.isEmpty else { throw unexpected("the name of a file") }
    return text
  }

  /// One of the names of an enumeration.
  func choice<Choice: RawRepresentable<String> & CaseIterable>() throws -> Choice {
    guard let text, let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map(\.rawValue)
      let list = names.dropLast().joined(separator: ", ") + (names.count > 1 ? " or " : "") + (names.last ?? "")
      throw unexpected(list, NearName.suggestion(for: text ?? "", in: names))
    }
    return choice
  }

  private func unexpected(_ expected: String, _ suggestion: String? = nil) -> InputError {
    InputError("\(name) needs \(expected), not \((text ?? "").quoted)\(suggestion ?? "")")
  }
}
