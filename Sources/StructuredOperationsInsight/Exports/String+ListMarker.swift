extension String {
  /// The character by which Markdown, and so Mermaid, may take the text for an item of a list, which Mermaid does not draw:
  /// a `-` or `+` at the beginning, or a full stop after digits there.
  ///
  /// Nil where there is none. Of other characters that do so, such as `*`, every one has to be escaped anyway.
  package var listMarker: Index? {
    let text = unicodeScalars.drop { $0 == " " }
    if let first = text.first, first == "-" || first == "+" { return text.startIndex }
    let rest = text.drop { "0"..."9" ~= $0 }
    return rest.first == "." && rest.startIndex > text.startIndex ? rest.startIndex : nil
  }
}
