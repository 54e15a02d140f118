import Foundation
import Testing
import TestSupport

@testable import StructuredOperations

@Suite("IterativeRelease", .hangGuard)
struct IterativeReleaseTests {
  /// One link of a chain, which hands on what it holds when it ends.
  ///
  /// Unchecked, because a link belongs to the thread that frees it.
  private final class Link: @unchecked Sendable {
    private var held: [Link]
    private let freed: Locked<Int>

    init(holding held: [Link], freed: Locked<Int>) {
      self.held = held
      self.freed = freed
    }

    deinit {
      freed.increment()
      IterativeRelease.release(IterativeRelease.Box(handOver()))
    }

    private func handOver() -> [Link] {
      defer { held = [] }
      return held
    }
  }

  private func chain(of count: Int, freed: Locked<Int>) -> Link {
    var last = Link(holding: [], freed: freed)
    for _ in 1..<count { last = Link(holding: [last], freed: freed) }
    return last
  }

  @Test("DP-16 A chain of 100 000 objects is freed without recursion")
  func longChain() {
    let freed = Locked(0)
    IterativeRelease.release(chain(of: 100_000, freed: freed))
    #expect(freed.current == 100_000)
  }

  @Test("DP-16 The end of the first object frees the chain behind it")
  func firstObject() {
    let freed = Locked(0)
    func drop() { _ = chain(of: 100_000, freed: freed) }
    drop()
    #expect(freed.current == 100_000)
  }

  @Test("A tree is freed completely")
  func tree() {
    let freed = Locked(0)
    func tree(_ depth: Int) -> [Link] {
      (0..<3).map { _ in Link(holding: depth == 0 ? [] : tree(depth - 1), freed: freed) }
    }
    IterativeRelease.release(IterativeRelease.Box(tree(5)))
    #expect(freed.current == 3 + 9 + 27 + 81 + 243 + 729)
  }

  @Test("What somebody else holds stays, with all that it holds")
  func heldElsewhere() {
    let freed = Locked(0)
    let held = chain(of: 10, freed: freed)
    IterativeRelease.release(Link(holding: [held], freed: freed))
    #expect(freed.current == 1)
    withExtendedLifetime(held) {}
  }

  @Test("Threads free their chains each for itself")
  func threads() async {
    let freed = Locked(0)
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { IterativeRelease.release(chain(of: 20_000, freed: freed)) }
      }
    }
    #expect(freed.current == 80_000)
  }

  @Test("Nothing is left behind: a release after a release works")
  func twice() {
    let freed = Locked(0)
    for _ in 0..<3 { IterativeRelease.release(chain(of: 3, freed: freed)) }
    #expect(freed.current == 9)
  }
}
