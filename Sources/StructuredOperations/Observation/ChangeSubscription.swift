/// What an observer holds: when the last holder lets go, the channel is closed.
final class ChangeSubscription<Element: Sendable>: Sendable {
  let channel: ChangeChannel<Element>

  init(to channel: ChangeChannel<Element>) {
    self.channel = channel
  }

  deinit { channel.close() }
}
