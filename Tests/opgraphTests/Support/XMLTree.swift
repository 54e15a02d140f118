import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An element of an XML document, as a parser reads it.
final class XMLTree: NSObject, XMLParserDelegate {
  let name: String
  let attributes: [String: String]
  private(set) var children: [XMLTree] = []
  private(set) var text = ""
  /// The elements from the outermost to the one that is being read.
  private var path: [XMLTree] = []

  private init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// A document whose only child is the outermost element; throws the parser's error.
  static func document(_ data: Data) throws -> XMLTree {
    let document = XMLTree(name: "", attributes: [:])
    document.path = [document]
    let parser = XMLParser(data: data)
    parser.delegate = document
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    return document
  }

  /// All elements of that name below this one.
  func all(_ name: String) -> [XMLTree] {
    children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    let element = XMLTree(name: name, attributes: attributes)
    path.last?.children.append(element)
    path.append(element)
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    path.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    path.last?.text += string
  }
}
