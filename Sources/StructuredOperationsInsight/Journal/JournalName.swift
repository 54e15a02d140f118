import StructuredOperations

/// What an operation is called in a history.
///
/// The text for one without a name is made only when a history is read: it would take longer than all else that is noted of it.
enum JournalName: Sendable {
  case given(String)
  case none(madeAt: CreationSite)

  init(of operation: any OperationProtocol) {
    self = operation.name.map { .given($0) } ?? .none(madeAt: operation.creationSite)
  }

  var text: String {
    switch self {
    case .given(let name): name
    case .none(let site): site.label
    }
  }
}
