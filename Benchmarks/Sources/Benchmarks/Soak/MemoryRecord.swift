import CCounters
import Foundation

/// The memory of the process over time.
///
/// Two measures: what is resident, which allocators keep for later and which is therefore coarse; and what is
/// allocated, where that can be counted, which tells every single object that was forgotten.
struct MemoryRecord: CustomStringConvertible {
  private var resident: [Double] = []
  private var allocated: [Double] = []
  private static let megabyte = 1_048_576.0

  /// Counts from now on.
  init() {
    counters_setCounting(true)
  }

  mutating func takeSample() {
    let bytes = counters_residentBytes()
    if bytes >= 0 { resident.append(Double(bytes)) }
    if counters_canCountAllocations() { allocated.append(Double(counters_liveBytes())) }
  }

  /// Whether the last fifth is no higher than the second one, but for what a thread more or less makes.
  ///
  /// The first fifth is for threads to start and allocators to find their sizes.
  var isFlat: Bool {
    let (residentBefore, residentAfter) = Self.highest(of: resident)
    let (allocatedBefore, allocatedAfter) = Self.highest(of: allocated)
    return residentAfter <= residentBefore * 1.05 + 2 * Self.megabyte
      && allocatedAfter <= allocatedBefore + 0.25 * Self.megabyte
  }

  var description: String {
    let texts = [("resident", resident), ("allocated since the start", allocated)].map { name, samples in
      guard !samples.isEmpty else { return "\(name) unknown" }
      let (before, after) = Self.highest(of: samples)
      return String(format: "\(name) %.2f MB at first, %.2f MB at last", before / Self.megabyte, after / Self.megabyte)
    }
    return texts.joined(separator: ", ") + (isFlat ? ": flat" : ": grown")
  }

  /// The highest in the second fifth of all samples, and in the last one.
  private static func highest(of samples: [Double]) -> (before: Double, after: Double) {
    let fifth = max(1, samples.count / 5)
    return (samples.dropFirst(fifth).prefix(fifth).max() ?? 0, samples.suffix(fifth).max() ?? 0)
  }
}
