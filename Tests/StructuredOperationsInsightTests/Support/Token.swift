/// Stands for an operation or a queue in tests of the recorder, which knows only identities.
final class Token: Sendable {}
