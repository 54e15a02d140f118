extension Bool {
  var word: String { self ? "yes" : "no" }
}

/// Several findings as one.
func findings(_ findings: String...) -> String { findings.joined(separator: "; ") }
