import Foundation

/// The machine and the toolchain of the figures.
struct Machine: Encodable, CustomStringConvertible {
  let coreCount = ProcessInfo.processInfo.activeProcessorCount
  let system = ProcessInfo.processInfo.operatingSystemVersionString
  let architecture: String = {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      "another architecture"
    #endif
  }()
  let memoryBytes = ProcessInfo.processInfo.physicalMemory

  var description: String { "\(coreCount) cores, \(architecture), \(memoryBytes >> 30) GB, \(system)" }
}
