// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "structured-operations-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, because the folder of a checkout can have any name.
    .package(name: "swift-structured-operations", path: "..")
  ],
  targets: [
    // Replaces the allocator's functions, which Swift cannot do.
    .target(name: "CCounters"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CCounters",
        .product(name: "StructuredOperations", package: "swift-structured-operations"),
        .product(name: "StructuredOperationsInsight", package: "swift-structured-operations"),
        .product(name: "StructuredOperationsTesting", package: "swift-structured-operations"),
      ],
      swiftSettings: [
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
        .enableUpcomingFeature("ExistentialAny"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
        .enableUpcomingFeature("MemberImportVisibility"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
