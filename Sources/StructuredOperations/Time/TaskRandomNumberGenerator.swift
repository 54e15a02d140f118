/// Random numbers of the executor that the calling task prefers where that repeats its runs, else of the system.
struct TaskRandomNumberGenerator: RandomNumberGenerator {
  private var system = SystemRandomNumberGenerator()

  mutating func next() -> UInt64 { ReproducibleExecutors.current?.nextRandomNumber() ?? system.next() }
}
