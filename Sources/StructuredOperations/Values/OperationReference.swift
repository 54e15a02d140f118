/// What identifies an operation inside the package.
///
/// It has no public members. That nobody else can make one is what seals ``OperationProtocol``.
public struct OperationReference: Sendable {
  /// The operation's core, which the layers above know the type of.
  let object: any AnyObject & Sendable
}
