import Synchronization

#if !os(WASI)
  /// A place for one job, filled by the thread that owns it and emptied by whichever thread comes first.
  ///
  /// `put` and `isEmpty` are sequentially consistent. So when an owner fills its slot and then finds that nobody watches it, while
  /// a watcher gives up watching and then looks into the slot, at least one of the two sees what the other did.
  struct JobSlot: ~Copyable, Sendable {
    /// The bits of an `UnownedJob`, which is a pointer; 0 if the slot is empty.
    private let bits = Atomic<UInt>(0)

    var isEmpty: Bool { bits.load(ordering: .sequentiallyConsistent) == 0 }

    /// To be called by the owner alone: nobody else fills the slot, so it stays empty until the job is stored.
    ///
    /// - Returns: False, without effect, if the slot is full.
    func put(_ job: UnownedJob) -> Bool {
      guard bits.load(ordering: .relaxed) == 0 else { return false }
      bits.store(unsafeBitCast(job, to: UInt.self), ordering: .sequentiallyConsistent)
      return true
    }

    /// Takes the job out; of several threads that try at once one gets it.
    func take() -> UnownedJob? {
      guard bits.load(ordering: .relaxed) != 0 else { return nil }
      let taken = bits.exchange(0, ordering: .acquiringAndReleasing)
      return taken == 0 ? nil : unsafeBitCast(taken, to: UnownedJob.self)
    }
  }
#endif
