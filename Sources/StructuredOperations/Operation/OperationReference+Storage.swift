extension OperationReference {
  init(_ storage: OperationStorage) {
    object = storage
  }
}

extension OperationProtocol {
  nonisolated var storage: OperationStorage {
    guard let storage = reference.object as? OperationStorage else {
      preconditionFailure("a reference to something that is no operation")
    }
    return storage
  }
}
