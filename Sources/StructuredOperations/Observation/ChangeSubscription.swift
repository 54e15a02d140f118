/// Closes a channel when its last reader, a sequence or an iterator, is released.
final class ChangeSubscription<Element: Sendable>: Sendable {
  let channel: ChangeChannel<Element>

  init(to channel: ChangeChannel<Element>) {
    self.channel = channel
  }

  deinit { channel.close() }
}
