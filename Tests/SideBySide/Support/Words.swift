extension Bool {
  var word: String { self ? "yes" : "no" }
}

/// Joins several findings.
func findings(_ findings: String...) -> String { findings.joined(separator: "; ") }
