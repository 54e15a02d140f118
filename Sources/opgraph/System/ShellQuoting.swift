extension String {
  /// The string as one word of a shell command.
  ///
  /// Not by `Character`: a quote with a combining sign after it is another one, and ends the word all the same.
  var shellQuoted: String {
    let pieces = unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + pieces.map(String.init).joined(separator: #"'\''"#) + "'"
  }
}
