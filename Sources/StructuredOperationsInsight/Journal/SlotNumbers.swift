/// Gives out the smallest number, from 1, that nobody has.
///
/// O(number of slots in use / 64).
struct SlotNumbers: Sendable {
  /// One bit for each number, set where somebody has it.
  private var words: [UInt64] = []

  mutating func take() -> Int {
    for index in words.indices where words[index] != .max {
      let bit = (~words[index]).trailingZeroBitCount
      words[index] |= 1 << UInt64(bit)
      return index * UInt64.bitWidth + bit + 1
    }
    words.append(1)
    return (words.count - 1) * UInt64.bitWidth + 1
  }

  mutating func giveBack(_ number: Int) {
    let (index, bit) = (number - 1).quotientAndRemainder(dividingBy: UInt64.bitWidth)
    words[index] &= ~(1 << UInt64(bit))
  }
}
