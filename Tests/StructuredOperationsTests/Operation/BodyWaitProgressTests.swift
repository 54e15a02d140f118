import Testing

@testable import StructuredOperations

@Suite("BodyWaitProgress")
struct BodyWaitProgressTests {
  private typealias Progress = BodyWaitProgress<[String], Int>

  @Test("A wait is over with the last of what it is for, and whoever ended it learns that", arguments: [1, 2, 5])
  func last(count: Int) {
    var progress = Progress(for: count)
    for _ in 1..<count {
      #expect(progress.finishedOne() == false)
      #expect(!progress.isOver)
    }
    #expect(progress.finishedOne() == true)
    #expect(progress.isOver)
  }

  @Test("The body resumes when it has its slot, and not already when the wait is over")
  func order() {
    var progress = Progress(for: 1)
    let isKept = progress.park(7)
    #expect(isKept)
    _ = progress.finishedOne()
    #expect(progress.endOnceResumed.word == nil)

    #expect(progress.resume() == 7)

    #expect(progress.endOnceResumed.word == "done")
    #expect(progress.isOver)
  }

  @Test("A waiter that comes when the body may resume is told how the wait ended, and not kept")
  func lateSleeper() {
    var progress = Progress(for: 1)
    _ = progress.finishedOne()
    #expect(progress.resume() == nil)

    let isKept = progress.park(7)
    #expect(!isKept)
    #expect(progress.endOnceResumed.word == "done")
  }

  @Test("One that sleeps again after a wake-up that was none is kept in its stead")
  func sleepAgain() {
    var progress = Progress(for: 1)
    _ = progress.park(7)
    _ = progress.park(8)
    _ = progress.finishedOne()
    #expect(progress.resume() == 8)
  }

  @Test("A wait that could never end says along which loop, and what finishes later changes nothing")
  func deadlock() {
    var progress = Progress(for: 2)
    #expect(progress.finishedOne() == false)
    #expect(progress.end(.deadlock(["a", "b"])) == true)
    #expect(progress.isOver)
    #expect(progress.finishedOne() == false)
    #expect(progress.end(.done) == false)

    #expect(progress.resume() == nil)

    #expect(progress.endOnceResumed.word == "a b")
  }

  @Test("A wait ends once: the first end counts")
  func once() {
    var progress = Progress(for: 1)
    #expect(progress.finishedOne() == true)
    #expect(progress.end(.deadlock(["late"])) == false)
    _ = progress.resume()
    #expect(progress.end(.deadlock(["later"])) == false)
    #expect(progress.endOnceResumed.word == "done")
  }

  @Test("A wait is given up once, and ends all the same")
  func givenUp() {
    var progress = Progress(for: 1)
    #expect(progress.isAbandoned == false)
    #expect(progress.abandon() == true)
    #expect(progress.abandon() == false)
    #expect(progress.isAbandoned)
    #expect(progress.isOver == false)
    #expect(progress.finishedOne() == true)
  }

  @Test("Going on before the end, going on twice, and more ends than there are stop the program")
  func misuse() async {
    await #expect(processExitsWith: .failure) {
      var progress = BodyWaitProgress<[String], Int>(for: 1)
      _ = progress.resume()
    }
    await #expect(processExitsWith: .failure) {
      var progress = BodyWaitProgress<[String], Int>(for: 1)
      _ = progress.finishedOne()
      _ = progress.resume()
      _ = progress.resume()
    }
    await #expect(processExitsWith: .failure) {
      var progress = BodyWaitProgress<[String], Int>(for: 1)
      _ = progress.finishedOne()
      _ = progress.finishedOne()
    }
  }
}

extension BodyWaitProgress<[String], Int>.End? {
  /// `done`, or the loop.
  fileprivate var word: String? {
    switch self {
    case .done: "done"
    case .deadlock(let loop): loop.joined(separator: " ")
    case .cancelled: "cancelled"
    case nil: nil
    }
  }
}
