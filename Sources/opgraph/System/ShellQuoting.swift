extension String {
  /// The string as one word of a shell command.
  var shellQuoted: String {
    let pieces = split(separator: "'", omittingEmptySubsequences: false)
    return "'" + pieces.joined(separator: #"'\''"#) + "'"
  }
}
