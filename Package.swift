// swift-tools-version: 6.2
import PackageDescription

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let workerDependencies: [Target.Dependency] = ["Intents", "PipelineService", "Rides", argumentParser]

let package = Package(
    name: "IntentPipeline",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Intents", targets: ["Intents"]),
        .library(name: "Conversation", targets: ["Conversation"]),
        .library(name: "IntentEvents", targets: ["IntentEvents"]),
        .library(name: "RecordLog", targets: ["RecordLog"]),
        .library(name: "Kafka", targets: ["Kafka"]),
        .library(name: "Pipeline", targets: ["Pipeline"]),
        .library(name: "PipelineTestKit", targets: ["PipelineTestKit"]),
        .executable(name: "intents", targets: ["intents"]),
        .executable(name: "intent-coordinator", targets: ["intent-coordinator"]),
        .executable(name: "intent-resolver", targets: ["intent-resolver"]),
        .executable(name: "intent-confirmer", targets: ["intent-confirmer"]),
        .executable(name: "intent-handler", targets: ["intent-handler"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // The log: the seam between the pipeline and Kafka, and Kafka behind it.
        .systemLibrary(name: "CRDKafka", pkgConfig: "rdkafka", providers: [.apt(["librdkafka-dev"]), .brew(["librdkafka"])]),
        .systemLibrary(name: "CRDKafkaMock", pkgConfig: "rdkafka", providers: [.apt(["librdkafka-dev"]), .brew(["librdkafka"])]),
        .target(name: "RecordLog", dependencies: [.product(name: "DequeModule", package: "swift-collections")]),
        .target(name: "Kafka", dependencies: ["CRDKafka", "RecordLog"]),
        .target(name: "DevBroker", dependencies: ["CRDKafkaMock"]),

        // The domain: what app authors import, the pure conversation, the wire contract.
        .target(name: "Intents"),
        .target(name: "Conversation", dependencies: ["Intents"]),
        .target(name: "IntentEvents", dependencies: ["Conversation", "Intents", "RecordLog"]),

        // The shell: loops that move events between the log and the domain.
        .target(
            name: "Pipeline",
            dependencies: [
                "Conversation", "IntentEvents", "Intents", "RecordLog",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
                logging,
            ]),
        .target(
            name: "PipelineTestKit",
            dependencies: [
                "Conversation", "IntentEvents", "Intents", "Pipeline", "RecordLog", logging,
            ]),
        .target(
            name: "PipelineService",
            dependencies: [
                "Conversation", "IntentEvents", "Intents", "Kafka", "Pipeline", "RecordLog",
                argumentParser,
                logging,
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),

        // Sample domains.
        .target(
            name: "Rides", dependencies: ["Intents"], path: "Sources/Examples/Rides", exclude: ["README.md"],
            resources: [.embedInCode("Resources")]),

        // Processes.
        .executableTarget(name: "intent-coordinator", dependencies: ["PipelineService"]),
        .executableTarget(name: "intent-resolver", dependencies: workerDependencies),
        .executableTarget(name: "intent-confirmer", dependencies: workerDependencies),
        .executableTarget(name: "intent-handler", dependencies: workerDependencies),
        .executableTarget(
            name: "intents",
            dependencies: [
                "Conversation", "DevBroker", "IntentEvents", "Intents", "Kafka", "PipelineService", "PipelineTestKit", "RecordLog",
                argumentParser,
            ]),

        // Tests.
        .target(name: "LogConformance", dependencies: ["RecordLog"], path: "Tests/LogConformance"),
        .testTarget(name: "ArchitectureTests"),
        .testTarget(name: "RecordLogTests", dependencies: ["LogConformance", "RecordLog"]),
        .testTarget(name: "KafkaTests", dependencies: ["DevBroker", "Kafka", "LogConformance", "RecordLog"]),
        .testTarget(name: "IntentsTests", dependencies: ["Intents"]),
        .testTarget(name: "ConversationTests", dependencies: ["Conversation", "Intents"]),
        .testTarget(
            name: "IntentEventsTests", dependencies: ["Conversation", "IntentEvents", "Intents", "RecordLog"], exclude: ["Golden"]),
        .testTarget(
            name: "PipelineTests",
            dependencies: ["Conversation", "IntentEvents", "Intents", "Pipeline", "PipelineTestKit", "RecordLog", "Rides"]),
        .testTarget(
            name: "SimulationTests", dependencies: ["Conversation", "IntentEvents", "Intents", "Pipeline", "PipelineTestKit", "RecordLog"]),
        .testTarget(name: "RidesTests", dependencies: ["Intents", "Rides"]),
        .testTarget(
            name: "ProcessTests",
            dependencies: ["Intents", "intents", "intent-coordinator", "intent-resolver", "intent-confirmer", "intent-handler"]),
    ],
    swiftLanguageModes: [.v6]
)

// One set of compiler settings for every Swift target. CI turns warnings into errors.
for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
    if Context.environment["CI"] != nil {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
