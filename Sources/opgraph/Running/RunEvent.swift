/// An event in the run of a graph.
enum RunEvent: Sendable {
  case started(id: String)
  case ended(id: String, CommandResult)
  case notRun(id: String, NotRunReason)
}
