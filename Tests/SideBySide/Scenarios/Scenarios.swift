/// All scenarios, by area.
enum Scenarios {
  struct Area: Sendable {
    let name: String
    let scenarios: [Scenario]
  }

  static let areas = [
    Area(name: "Life cycle", scenarios: lifeCycle),
    Area(name: "start()", scenarios: starting),
    Area(name: "Readiness", scenarios: readiness),
    Area(name: "Dependencies", scenarios: dependencies + removingDependencies),
    Area(name: "Cancellation", scenarios: cancellation),
    Area(name: "Completion blocks", scenarios: completionBlocks),
    Area(name: "Waiting", scenarios: waiting),
    Area(name: "Order", scenarios: order),
    Area(name: "Asynchronous bodies", scenarios: asynchronousBodies),
    Area(name: "Several blocks", scenarios: blocks),
    Area(name: "Adding", scenarios: adding),
    Area(name: "Barriers", scenarios: barriers),
    Area(name: "Limit and suspension", scenarios: limits),
    Area(name: "Cancelling and waiting for queues", scenarios: wholeQueues),
    Area(name: "What a queue tells", scenarios: introspection),
  ]

  static let all = areas.flatMap(\.scenarios)
}
