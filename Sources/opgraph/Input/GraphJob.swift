/// What is done with a graph.
enum GraphJob: Equatable, Sendable {
  case run(RunOptions)
  /// Tells what would be run.
  case plan(RunOptions)
  case list
  case draw(DrawingFormat)

  /// A language for drawings of graphs.
  enum DrawingFormat: String, CaseIterable, Sendable {
    /// That of Graphviz.
    case dot
    case mermaid
  }
}
