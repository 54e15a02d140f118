extension Substring {
  /// The line of a command for people: what cannot be seen, or would do something to a terminal, is a space.
  ///
  /// An escape sequence in a command is for the one who reads its output, not for the one who reads the command.
  var withoutUnseen: String { String(map { $0.unicodeScalars.contains(where: \.isUnseen) ? " " : $0 }) }
}
