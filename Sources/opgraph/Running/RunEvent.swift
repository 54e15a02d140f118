/// What happens to an operation while a graph runs.
enum RunEvent: Equatable, Sendable {
  case started(id: String)
  case ended(id: String, CommandResult)
  case notRun(id: String, NotRunReason)
}
