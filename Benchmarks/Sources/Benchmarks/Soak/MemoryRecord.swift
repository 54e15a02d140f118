import CCounters
import Foundation

/// The memory of the process over time.
struct MemoryRecord: CustomStringConvertible {
  /// The resident memory: a coarse measure, since allocators keep much of it for reuse.
  private var residentBytes: [Double] = []
  /// The allocated bytes: they vary with the capacity that arrays keep.
  private var allocatedBytes: [Double] = []
  /// The number of allocated blocks: shows every single leaked object.
  private var blocks: [Double] = []

  private static let megabyte = 1_048_576.0

  /// Starts counting allocations.
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

  /// Whether the last fifth of the samples is no higher than the second, with an allowance for a few threads and
  /// buffers.
  ///
  /// The first fifth is ignored: threads start and allocators grow then.
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

  /// The maximum of the second fifth of the samples, and that of the last.
  private static func highest(of samples: [Double]) -> (before: Double, after: Double) {
    let fifth = max(1, samples.count / 5)
    return (samples.dropFirst(fifth).prefix(fifth).max() ?? 0, samples.suffix(fifth).max() ?? 0)
  }
}
