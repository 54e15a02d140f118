/// The difference of two texts, line by line, in the order of the new one.
struct LineDifference: CustomStringConvertible {
  let description: String

  init(from old: String, to new: String) {
    let (old, new) = (Self.lines(old), Self.lines(new))
    let difference = new.difference(from: old)
    var removals: [Int: Substring] = [:]
    var insertions: [Int: Substring] = [:]
    for change in difference {
      switch change {
      case .remove(let offset, let line, _): removals[offset] = line
      case .insert(let offset, let line, _): insertions[offset] = line
      }
    }
    var text = ""
    var (oldOffset, newOffset) = (0, 0)
    while oldOffset < old.count || newOffset < new.count {
      if let line = removals[oldOffset] {
        text += "-\(line)\n"
        oldOffset += 1
      } else if let line = insertions[newOffset] {
        text += "+\(line)\n"
        newOffset += 1
      } else {
        oldOffset += 1
        newOffset += 1
      }
    }
    description = text
  }

  var isEmpty: Bool { description.isEmpty }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}
