/// Something that has happened to an operation, as an ``OperationObserver`` is told.
public struct OperationEvent: Sendable {
  /// What has happened.
  ///
  /// An operation that runs is `added`, `blocked` or `ready`, `started`, and `finished`; waits of its body come in between. Started by
  /// hand it is not `added`, `blocked` or `ready`.
  public enum Kind: Hashable, Sendable {
    /// A queue has taken the operation.
    ///
    /// What a queue refuses is not told. `ready` or `blocked` follows at once, unless the operation leaves without running.
    case added
    /// It waits for a dependency.
    case blocked
    /// In a queue, it waits for no dependency, or no longer.
    case ready
    /// It executes; the body begins when this has been observed.
    case started
    /// The body begins to wait, and is about to lend its slot: for another operation, a queue, or a closure of
    /// ``withLentSlot(_:)``.
    ///
    /// Waits of child tasks are not told, nor those inside of another wait of the body.
    case waitBegan
    /// The body has its slot again, and goes on.
    case waitEnded
    /// It was cancelled; told once, and not again in a queue where that came before the operation was added.
    ///
    /// No `ready` follows, although a cancelled operation waits for no dependency.
    case cancelled
    /// It has finished; the last event.
    case finished
  }

  /// What has happened.
  public internal(set) var kind: Kind
  /// The operation.
  public var operation: any OperationProtocol { subject.operation }
  let subject: EventSubject
  /// What it comes from.
  ///
  /// - `added`: the operation whose body has added it, or a task that the body has started;
  /// - `ready`: the dependency that finished last;
  /// - `waitBegan`: what is waited for, the first of several;
  /// - `finished`, without having run: the root of the failure.
  ///
  /// Otherwise nil.
  public internal(set) var cause: (any OperationProtocol)?
}

extension OperationEvent {
  /// The queue, where the body begins to wait for everything in one; nil otherwise, and once the observer has been told.
  package var awaitedQueue: (any AnyObject & Sendable)? {
    kind == .waitBegan ? operation.storage.read { $0.awaitedQueue } : nil
  }
}

extension OperationEvent: CustomReflectable {
  /// What `print` and `dump` tell: the kind, the operation, its queue, and what the event comes from.
  public var customMirror: Mirror {
    let children: KeyValuePairs<String, Any> = [
      "kind": kind, "operation": operation, "queue": subject.queue as Any, "cause": cause as Any,
    ]
    return Mirror(self, children: children, displayStyle: .struct)
  }
}
