/// What may stand between values.
extension JSONParser {
  mutating func skipSpace() throws {
    while let next {
      switch next {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      case UInt8(ascii: "/"): try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws {
    let start = index
    index += 1
    if take("/") {
      while let next, next != 0x0A { index += 1 }
    } else if take("*") {
      while let next {
        index += 1
        if next == UInt8(ascii: "*"), take("/") { return }
      }
      throw failure("a comment has no end", at: start)
    } else {
      throw failure("a comment begins with \"//\" or \"/*\"", at: start)
    }
  }
}
