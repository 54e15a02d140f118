/// Tells the time that has passed since it was made, on any clock, up to 292 years.
struct JournalClock: Sendable {
  private let read: @Sendable () -> Duration

  init(_ clock: any Clock<Duration>) { self.init(of: clock) }

  private init<C: Clock<Duration>>(of clock: C) {
    let start = clock.now
    read = { start.duration(to: clock.now) }
  }

  var elapsed: Duration { read().cutOff }
}
