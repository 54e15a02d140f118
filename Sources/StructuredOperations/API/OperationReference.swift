/// Identifies an operation inside the package; not visible to other modules, see ``OperationProtocol``.
@_spi(StructuredOperationsInternals)
public struct OperationReference: Sendable {
  /// An `OperationStorage`; that type belongs to a higher layer.
  let object: any AnyObject & Sendable
}
