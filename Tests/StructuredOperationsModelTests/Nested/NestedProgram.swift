/// A random program of scopes in scopes, as data: what bodies of operations do, and what is done from outside.
///
/// Its steps say by a `Pick` or a `Place` what they are about, which is looked up when they run.
struct NestedProgram: Sendable {
  /// One of the operations that have been added so far.
  enum Pick: Sendable {
    /// The one whose body this is, or one whose body is around: the innermost one is number 0.
    case around(Int)
    case outermost
    /// The one that has opened the scope which an operation is added to.
    case opener
    /// The last one is number 0.
    case recent(Int)
    case any(Int)
  }

  /// A queue.
  enum Place: Sendable {
    /// One of those that exist from the beginning.
    case queue(Int)
    /// A scope around: the innermost one is number 0.
    case around(Int)
    /// A scope that has not ended, whoever has opened it: the last one is number 0.
    case open(Int)
  }

  struct Queue: Sendable {
    var width: Int
    var rate: Int?
  }

  struct Body: Sendable {
    var steps: [Step]
    /// Whether it goes on after an error.
    var goesOn = true
  }

  struct Plan: Sendable {
    var body: Body
    /// What it costs of each limit, by number.
    var limits: [Int: Int] = [:]
    var dependencies: [Pick] = []
    var requiresSuccess = false
  }

  struct Scope: Sendable {
    var queue: Queue
    var isSuspended = false
    var cancelsOnFailure = false
    var steps: [Step]
  }

  indirect enum Step: Sendable {
    case yield(Int)
    case sleep(Int)
    case fail
    // Additions.
    case add(Plan, Place)
    case addBarrier(Plan, Place, isCancelled: Bool)
    /// What a task outside of the body does, and after how many yields that is cancelled.
    case elsewhere([Step], cancelledAfter: Int?)
    // Waits.
    case start(Plan)
    case value(Pick)
    case all(Place)
    case current(Place)
    case run(Plan, Place)
    case runBarrier(Plan, Place)
    case scope(Scope)
    case lend([Step])
    case childTask([Step])
    case timeout(Int, [Step])
    case retry([Step], failures: Int, pause: Int)
    // Changes.
    case link(Pick, Pick, requiresSuccess: Bool)
    case unlink(Pick, Pick)
    case cancel(Pick)
    case cancelAll(Place)
    case suspendFor(Int, Place)
    // Changes that last until all meddling is over.
    case suspend(Place)
    case resume(Place)
    case width(Int, Place)
    case rate(Int?, Place)
    case count(Int, limit: Int)
  }

  let queues: [Queue]
  /// The counts of limits.
  let limits: [Int]
  /// Whether waits may close loops.
  ///
  /// Otherwise operations wait for those that were there before their script came to the step that they are part of,
  /// for what they run themselves, and for what is in scopes of their own.
  let isCyclic: Bool
  /// What tasks outside of all operations do.
  let scripts: [[Step]]
  /// What another task does; it waits for nothing, so that it comes to its end, and takes its changes back.
  let meddling: [Step]
}
