extension Duration {
  /// In seconds with milliseconds: `1.234 s`.
  ///
  /// Made by hand, since there is one for each line.
  var secondsText: String { "\(secondsNumber) s" }

  /// The same without the unit.
  var secondsNumber: String {
    let milliseconds = max(0, Int((self / .milliseconds(1)).rounded()))
    let fraction = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
  }

  /// In the two largest units, for something that goes on: `14 s`, `2 min 5 s`, `1 h 4 min`.
  var roughText: String {
    let seconds = max(0, components.seconds)
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
    default: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
  }

  /// Of a wait as somebody has set it: `2 s`, `0.5 s`.
  var waitText: String {
    var text = Substring(secondsNumber)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return "\(text) s"
  }
}
