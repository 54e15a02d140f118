// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "swift-structured-operations",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "StructuredOperations", targets: ["StructuredOperations"]),
    .library(name: "StructuredOperationsFoundation", targets: ["StructuredOperationsFoundation"]),
    .library(name: "StructuredOperationsInsight", targets: ["StructuredOperationsInsight"]),
    .library(name: "StructuredOperationsTesting", targets: ["StructuredOperationsTesting"]),
    .executable(name: "opgraph", targets: ["opgraph"]),
  ],
  targets: [
    .target(name: "StructuredOperations"),
    .target(name: "StructuredOperationsFoundation", dependencies: ["StructuredOperations"]),
    .target(name: "StructuredOperationsInsight", dependencies: ["StructuredOperations"]),
    .target(name: "StructuredOperationsTesting", dependencies: ["StructuredOperations"]),
    .executableTarget(
      name: "opgraph", dependencies: ["StructuredOperations", "StructuredOperationsInsight"],
      exclude: ["Examples"]),
    .target(name: "TestSupport", dependencies: ["StructuredOperations"], path: "Tests/TestSupport"),
    .testTarget(
      name: "StructuredOperationsTests",
      dependencies: ["StructuredOperations", "StructuredOperationsTesting", "TestSupport"]),
    .testTarget(
      name: "StructuredOperationsFoundationTests",
      dependencies: [
        "StructuredOperations", "StructuredOperationsFoundation", "StructuredOperationsTesting", "TestSupport",
      ]),
    .testTarget(
      name: "StructuredOperationsInsightTests",
      dependencies: [
        "StructuredOperations", "StructuredOperationsInsight", "StructuredOperationsTesting", "TestSupport",
      ]),
    .testTarget(
      name: "StructuredOperationsTestingTests",
      dependencies: ["StructuredOperations", "StructuredOperationsTesting", "TestSupport"]),
    .testTarget(
      name: "StructuredOperationsModelTests",
      dependencies: ["StructuredOperations", "StructuredOperationsTesting", "TestSupport"]),
    .testTarget(
      name: "opgraphTests", dependencies: ["opgraph", "StructuredOperationsTesting", "TestSupport"]),
    .executableTarget(
      name: "side-by-side", dependencies: ["StructuredOperations", "TestSupport"], path: "Tests/SideBySide"),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    .enableUpcomingFeature("ExistentialAny"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    .enableUpcomingFeature("MemberImportVisibility"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]
}
