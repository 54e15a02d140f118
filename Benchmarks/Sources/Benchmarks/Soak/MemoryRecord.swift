import CCounters
import Foundation

/// The memory of the process over time.
struct MemoryRecord: CustomStringConvertible {
  /// What the system has given the process; allocators keep much of it for later, so it is coarse.
  private var residentBytes: [Double] = []
  /// What is allocated: the room that arrays keep for the next burst moves it.
  private var allocatedBytes: [Double] = []
  /// In how many blocks: tells every single object that was forgotten.
  private var blocks: [Double] = []

  private static let megabyte = 1_048_576.0

  /// Counts from now on.
  init() {
    counters_setCounting(true)
  }

  mutating func takeSample() {
    let bytes = counters_residentBytes()
    if bytes >= 0 { residentBytes.append(Double(bytes)) }
    guard counters_canCountAllocations() else { return }
    allocatedBytes.append(Double(counters_liveBytes()))
    blocks.append(Double(counters_liveCount()))
  }

  /// Whether the last fifth is no higher than the second one, but for what a few threads and buffers make.
  ///
  /// The first fifth is for threads to start and allocators to find their sizes.
  var isFlat: Bool {
    let (residentBefore, residentAfter) = Self.highest(of: residentBytes)
    let (allocatedBefore, allocatedAfter) = Self.highest(of: allocatedBytes)
    let (blocksBefore, blocksAfter) = Self.highest(of: blocks)
    return residentAfter <= residentBefore + 8 * Self.megabyte && allocatedAfter <= allocatedBefore + Self.megabyte
      && blocksAfter <= blocksBefore + 300
  }

  var description: String {
    let texts = [
      Self.text("resident", residentBytes.map { $0 / Self.megabyte }, "MB"),
      Self.text("allocated since the start", allocatedBytes.map { $0 / Self.megabyte }, "MB"),
      Self.text("in", blocks, "blocks", digits: 0),
    ]
    return texts.joined(separator: ", ") + (isFlat ? ": flat" : ": grown")
  }

  private static func text(_ name: String, _ samples: [Double], _ unit: String, digits: Int = 2) -> String {
    guard !samples.isEmpty else { return "\(name) an unknown number of \(unit)" }
    let (before, after) = highest(of: samples)
    return String(format: "\(name) %.\(digits)f → %.\(digits)f \(unit)", before, after)
  }

  /// The highest in the second fifth of all samples, and in the last one.
  private static func highest(of samples: [Double]) -> (before: Double, after: Double) {
    let fifth = max(1, samples.count / 5)
    return (samples.dropFirst(fifth).prefix(fifth).max() ?? 0, samples.suffix(fifth).max() ?? 0)
  }
}
