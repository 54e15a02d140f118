import Testing

@testable import StructuredOperations

@Suite("DependencyStatus")
struct DependencyStatusTests {
  @Test(
    "The status follows from what is required and how the dependency ended",
    arguments: [
      (.completion, nil, .unfinished), (.completion, false, .finished), (.completion, true, .finished),
      (.success, nil, .unfinished), (.success, false, .failed), (.success, true, .finished),
    ] as [(DependencyRequirement, Bool?, DependencyStatus)])
  func status(requirement: DependencyRequirement, hasSucceeded: Bool?, status: DependencyStatus) {
    #expect(DependencyStatus(of: requirement, hasSucceeded: hasSucceeded) == status)
  }
}
