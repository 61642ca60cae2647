// swift-tools-version: 6.2
import PackageDescription

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let workerDependencies: [Target.Dependency] = ["IntentKit", "IntentRuntime", "PipelineService", "SampleDomains", argumentParser]

let package = Package(
    name: "IntentPipeline",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "IntentModel", targets: ["IntentModel"]),
        .library(name: "IntentKit", targets: ["IntentKit"]),
        .library(name: "IntentRuntime", targets: ["IntentRuntime"]),
        .library(name: "IntentFiles", targets: ["IntentFiles"]),
        .library(name: "Conversation", targets: ["Conversation"]),
        .library(name: "HTTPCallback", targets: ["HTTPCallback"]),
        .library(name: "HTTPFulfilment", targets: ["HTTPFulfilment"]),
        .library(name: "IntentEvents", targets: ["IntentEvents"]),
        .library(name: "RecordLog", targets: ["RecordLog"]),
        .library(name: "RDKafkaLog", targets: ["RDKafkaLog"]),
        .library(name: "Pipeline", targets: ["Pipeline"]),
        .library(name: "PipelineService", targets: ["PipelineService"]),
        .library(name: "PipelineTestKit", targets: ["PipelineTestKit"]),
        .executable(name: "intents", targets: ["intents"]),
        .executable(name: "sgd-replay", targets: ["sgd-replay"]),
        .executable(name: "intent-coordinator", targets: ["intent-coordinator"]),
        .executable(name: "intent-resolver", targets: ["intent-resolver"]),
        .executable(name: "intent-confirmer", targets: ["intent-confirmer"]),
        .executable(name: "intent-handler", targets: ["intent-handler"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // The log: the seam between the pipeline and Kafka, and Kafka behind it.
        .systemLibrary(name: "CRDKafka", pkgConfig: "rdkafka", providers: [.apt(["librdkafka-dev"]), .brew(["librdkafka"])]),
        .systemLibrary(name: "CRDKafkaMock", pkgConfig: "rdkafka", providers: [.apt(["librdkafka-dev"]), .brew(["librdkafka"])]),
        .target(name: "RecordLog", dependencies: [.product(name: "DequeModule", package: "swift-collections")]),
        .target(name: "RDKafkaLog", dependencies: ["CRDKafka", "RecordLog"]),
        .target(name: "DevBroker", dependencies: ["CRDKafkaMock"]),

        // The domain: what app authors import, the pure conversation, the wire contract.
        .target(name: "IntentModel"),
        .target(name: "IntentKit", dependencies: ["IntentModel"], exclude: ["README.md"]),
        .target(name: "IntentRuntime", dependencies: ["IntentKit"]),
        .target(
            name: "IntentFiles", dependencies: ["IntentKit", "IntentModel", "IntentRuntime", .product(name: "Yams", package: "Yams")],
            resources: [.embedInCode("intents.schema.json")]),
        .target(name: "Conversation", dependencies: ["IntentModel"]),
        .target(name: "IntentEvents", dependencies: ["Conversation", "IntentModel", "RecordLog"]),

        // The shell: loops that move events between the log and the domain.
        .target(
            name: "Pipeline",
            dependencies: [
                "Conversation", "IntentEvents", "IntentModel", "RecordLog", crypto,
                .product(name: "DequeModule", package: "swift-collections"), .product(name: "HeapModule", package: "swift-collections"),
                logging,
            ]),
        // Fulfilment of declared intents by services.
        .target(
            name: "HTTPFulfilment",
            dependencies: ["IntentKit", "IntentModel", "IntentRuntime", asyncHTTPClient, crypto, nioCore, nioHTTP1, nioPosix, nioSSL]),
        .target(
            name: "HTTPCallback",
            dependencies: [
                "Conversation", "IntentEvents", "IntentModel", "Pipeline", "RecordLog", crypto,
                .product(name: "DequeModule", package: "swift-collections"), nioCore, nioHTTP1, nioPosix,
            ]),
        .target(
            name: "PipelineTestKit",
            dependencies: ["Conversation", "IntentEvents", "IntentKit", "IntentModel", "IntentRuntime", "Pipeline", "RecordLog", logging]),
        .target(
            name: "PipelineService",
            dependencies: [
                "Conversation", "HTTPCallback", "HTTPFulfilment", "IntentEvents", "IntentFiles", "IntentKit", "IntentModel",
                "IntentRuntime", "Pipeline", "RDKafkaLog", "RecordLog", argumentParser, logging,
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),

        // Sample domains, and what they keep.
        .target(name: "SampleStore", path: "Sources/Examples/SampleStore"),
        .target(
            name: "Rides", dependencies: ["IntentKit", "SampleStore"], path: "Sources/Examples/Rides", exclude: ["README.md"],
            resources: [.embedInCode("Resources")]),
        .target(name: "Calls", dependencies: ["IntentKit", "SampleStore"], path: "Sources/Examples/Calls", exclude: ["README.md"]),
        .target(name: "Messages", dependencies: ["IntentKit", "SampleStore"], path: "Sources/Examples/Messages", exclude: ["README.md"]),
        .target(name: "Payments", dependencies: ["IntentKit", "SampleStore"], path: "Sources/Examples/Payments", exclude: ["README.md"]),
        .target(name: "Trails", dependencies: ["IntentKit", "SampleStore"], path: "Sources/Examples/Trails", exclude: ["README.md"]),
        .target(name: "Workouts", dependencies: ["IntentKit", "SampleStore"], path: "Sources/Examples/Workouts", exclude: ["README.md"]),
        .target(
            name: "SampleDomains", dependencies: ["Calls", "IntentKit", "Messages", "Payments", "Rides", "Trails", "Workouts"],
            path: "Sources/Examples/SampleDomains"),

        // Recorded conversations, played through the pipeline.
        .executableTarget(
            name: "sgd-replay",
            dependencies: [
                "Conversation", "IntentEvents", "IntentKit", "IntentModel", "PipelineService", argumentParser, nioCore, nioHTTP1, nioPosix,
            ], path: "Sources/Examples/SchemaGuidedDialogue"),

        // Processes.
        .executableTarget(name: "intent-coordinator", dependencies: ["PipelineService"]),
        .executableTarget(name: "intent-resolver", dependencies: workerDependencies),
        .executableTarget(name: "intent-confirmer", dependencies: workerDependencies),
        .executableTarget(name: "intent-handler", dependencies: workerDependencies),
        .executableTarget(
            name: "intents",
            dependencies: [
                "Conversation", "DevBroker", "IntentEvents", "IntentFiles", "IntentKit", "IntentModel", "IntentRuntime", "Pipeline",
                "PipelineService", "PipelineTestKit", "RDKafkaLog", "RecordLog", "SampleDomains", argumentParser,
            ]),

        // Tests.
        .target(name: "LogConformance", dependencies: ["RecordLog"], path: "Tests/LogConformance"),
        .testTarget(name: "ArchitectureTests"),
        .testTarget(name: "RecordLogTests", dependencies: ["LogConformance", "RecordLog"]),
        .testTarget(name: "RDKafkaLogTests", dependencies: ["DevBroker", "RDKafkaLog", "LogConformance", "RecordLog"]),
        .testTarget(name: "IntentKitTests", dependencies: ["IntentKit", "IntentModel", "IntentRuntime"]),
        .testTarget(
            name: "IntentFilesTests",
            dependencies: ["IntentFiles", "IntentKit", "IntentModel", "IntentRuntime", "PipelineTestKit", "Rides"],
            exclude: ["Golden"]),
        .testTarget(name: "ConversationTests", dependencies: ["Conversation", "IntentKit", "IntentModel"]),
        .testTarget(
            name: "IntentEventsTests", dependencies: ["Conversation", "IntentEvents", "IntentKit", "IntentModel", "RecordLog"],
            exclude: ["Golden"]),
        .testTarget(
            name: "PipelineTests",
            dependencies: ["Conversation", "IntentEvents", "IntentKit", "IntentModel", "Pipeline", "PipelineTestKit", "RecordLog"]),
        .testTarget(
            name: "SimulationTests", dependencies: ["PipelineTestKit", "RecordLog"]),
        .testTarget(
            name: "SeedTests", dependencies: ["Conversation", "IntentEvents", "IntentKit", "IntentRuntime", "PipelineTestKit", "RecordLog"]),
        .testTarget(
            name: "HTTPFulfilmentTests",
            dependencies: ["HTTPFulfilment", "IntentKit", "IntentModel", "IntentRuntime", nioCore, nioHTTP1, nioPosix, nioSSL]),
        .testTarget(
            name: "HTTPCallbackTests",
            dependencies: [
                "Conversation", "HTTPCallback", "IntentEvents", "IntentModel", "Pipeline", "PipelineTestKit", "RecordLog", asyncHTTPClient,
                nioCore, nioHTTP1,
            ]),
        // The code that the tutorial ends with, as it is shown there, and a test of the tutorial itself.
        .executableTarget(
            name: "Greenhouse", dependencies: ["IntentKit", "PipelineService"],
            path: "Sources/IntentKit/IntentKit.docc/Resources/Greenhouse"),
        .testTarget(
            name: "GreenhouseTests", dependencies: ["Greenhouse", "IntentKit", "PipelineTestKit"],
            path: "Sources/IntentKit/IntentKit.docc/Resources/GreenhouseTests"),
        .testTarget(name: "TutorialTests"),
        .testTarget(name: "SampleStoreTests", dependencies: ["SampleStore"]),
        .testTarget(
            name: "RidesTests",
            dependencies: [
                "Conversation", "IntentEvents", "IntentKit", "IntentModel", "IntentRuntime", "PipelineTestKit", "Rides", "SampleStore",
            ],
            exclude: ["Golden"]),
        .testTarget(
            name: "TrailsTests",
            dependencies: [
                "Conversation", "IntentEvents", "IntentKit", "IntentModel", "IntentRuntime", "PipelineTestKit", "SampleStore", "Trails",
            ]),
        .testTarget(
            name: "CallsTests",
            dependencies: [
                "Calls", "Conversation", "IntentEvents", "IntentKit", "IntentModel", "IntentRuntime", "PipelineTestKit", "SampleStore",
            ]),
        .testTarget(
            name: "WorkoutsTests",
            dependencies: [
                "Conversation", "IntentEvents", "IntentKit", "IntentModel", "IntentRuntime", "PipelineTestKit", "SampleStore", "Workouts",
            ]),
        .testTarget(
            name: "MessagesTests",
            dependencies: ["IntentKit", "IntentModel", "IntentRuntime", "Messages", "PipelineTestKit", "SampleStore"]),
        .testTarget(name: "PaymentsTests", dependencies: ["IntentKit", "IntentRuntime", "Payments", "PipelineTestKit", "SampleStore"]),
        .testTarget(
            name: "SchemaGuidedDialogueTests",
            dependencies: [
                "Conversation", "IntentEvents", "IntentFiles", "IntentKit", "IntentModel", "IntentRuntime", "RecordLog", "sgd-replay",
            ]),
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "Greenhouse", "IntentKit", "IntentModel", "intent-confirmer", "intent-coordinator", "intent-handler", "intent-resolver",
                "intents", "sgd-replay",
            ]),
        .executableTarget(name: "slow-handler", dependencies: workerDependencies, path: "Tests/SlowHandler"),
        .testTarget(
            name: "FaultTests",
            dependencies: [
                "Conversation", "DevBroker", "IntentEvents", "IntentKit", "IntentModel", "Pipeline", "PipelineService", "RDKafkaLog",
                "RecordLog", "intent-confirmer", "intent-coordinator", "intent-handler", "intent-resolver", "intents", "slow-handler",
            ]),
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
