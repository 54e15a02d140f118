import Synchronization

/// A set of options that any thread adds to and looks at, without a lock; none is ever taken out.
///
/// It orders nothing else: whoever finds an option there may not see yet what the thread had done that added it.
struct AtomicOptions<Options: OptionSet>: ~Copyable where Options.RawValue == UInt8 {
  private let rawValue = Atomic<UInt8>(0)

  func contains(_ option: Options) -> Bool { rawValue.load(ordering: .relaxed) & option.rawValue != 0 }

  func insert(_ option: Options) { rawValue.bitwiseOr(option.rawValue, ordering: .relaxed) }
}

extension AtomicOptions: Sendable {}
