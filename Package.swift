// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let jwtKit = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let lifecycleTestKit = Target.Dependency.product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")

/// The targets of a ring. An arrow between targets points to an earlier ring, or stays within one.
///
/// - Parameter folder: where the targets are that have no path of their own, each in a folder of its name.
func ring(_ folder: String, _ targets: [Target]) -> [Target] {
    for target in targets where target.path == nil { target.path = "\(folder)/\(target.name)" }
    return targets
}

// The modules that app authors import, and their runtime: intents, their parameters and handlers.
let authoring = ring(
    "Sources/Authoring",
    [
        .target(name: "IntentModel"),
        .target(name: "IntentKit", dependencies: ["IntentModel"]),
        .target(name: "IntentRuntime", dependencies: ["IntentKit"]),
        // @Intent. Without the trait Macros both are empty.
        .macro(
            name: "IntentMacrosPlugin",
            dependencies: [
                "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros",
            ].map {
                .product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"]))
            }),
        .target(name: "IntentMacros", dependencies: ["IntentKit", "IntentMacrosPlugin"]),
        // Words to values, for worker programs: the only module of the domain with all of Foundation.
        .target(name: "SpokenValues", dependencies: ["IntentKit"]),
    ])

// Decisions about a session, as a pure value: no IO, clock or randomness.
let conversation = ring(
    "Sources",
    [
        .target(name: "Conversation", dependencies: ["IntentModel"])
    ])

// The interface between the pipeline and Kafka, and its implementations.
let log = ring(
    "Sources/Log",
    [
        .systemLibrary(
            name: "CRDKafka", pkgConfig: "rdkafka", providers: [.apt(["librdkafka-dev"]), .brew(["librdkafka"])]),
        .systemLibrary(
            name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(name: "MessageAuthentication", dependencies: ["CLibCrypto"]),
        .target(name: "RecordLog", dependencies: [.product(name: "DequeModule", package: "swift-collections")]),
        .target(name: "RDKafkaLog", dependencies: ["CRDKafka", "RecordLog"]),
        .target(name: "DevBroker"),
    ])

// Events, and the records that carry them.
let wire = ring(
    "Sources/Wire",
    [
        .target(name: "IntentEvents", dependencies: ["Conversation", "IntentModel", "RecordLog"])
    ])

// The loops that move events between the log and the domain, and the encryption of their values.
let pipeline = ring(
    "Sources/Pipeline",
    [
        // Between the log and the shell: values are encrypted on their way.
        .target(
            name: "RecordEncryption",
            dependencies: [
                "IntentEvents", "IntentModel", "MessageAuthentication", "RecordLog",
                .product(name: "DequeModule", package: "swift-collections"),
            ]),
        .target(
            name: "Pipeline",
            dependencies: [
                "Conversation", "IntentEvents", "IntentModel", "MessageAuthentication", "RecordLog",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"), coreMetrics, logging, tracing,
            ], path: "Sources/Pipeline", exclude: ["RecordEncryption"]),
    ])

// The shared parts of processes: options, health, metrics, checks; and those of a coordinator and of a worker.
let service = ring(
    "Sources/Service",
    [
        // The parts of programs: one for coordinators, one for workers, and one that both share.
        .target(
            name: "PipelineService",
            dependencies: [
                "Conversation", "IntentEvents", "IntentModel", "MessageAuthentication", "Pipeline", "RDKafkaLog",
                "RecordEncryption", "RecordLog", argumentParser, coreMetrics, logging, nioCore, nioHTTP1, nioPosix,
                serviceLifecycle, tracing, unixSignals,
            ]),
        // A whole pipeline as child processes, for development and measurements.
        .target(
            name: "LocalPipeline",
            dependencies: [
                "IntentEvents", "IntentModel", "Pipeline", "PipelineService", "RDKafkaLog", "RecordLog", argumentParser,
                unixSignals,
            ]),
        .target(
            name: "CoordinatorService",
            dependencies: [
                "Conversation", "IntentEvents", "IntentModel", "Pipeline", "PipelineService", "RDKafkaLog",
                "RecordLog", argumentParser, logging, serviceLifecycle,
            ]),
        .target(
            name: "WorkerService",
            dependencies: [
                "Conversation", "IntentEvents", "IntentKit", "IntentModel", "IntentRuntime", "Pipeline",
                "PipelineService", "RDKafkaLog", "RecordLog", argumentParser, coreMetrics, logging, serviceLifecycle,
                tracing, unixSignals,
            ]),
    ])

// Intents from definition files, fulfilled by HTTP services.
let fulfilment = ring(
    "Sources/Fulfilment",
    [
        .target(
            name: "IntentFiles",
            dependencies: ["IntentKit", "IntentModel", "IntentRuntime", .product(name: "Yams", package: "Yams")],
            resources: [.embedInCode("intents.schema.json")]),
        // Calls of HTTP services, the callbacks of those that answer later, and both for the worker programs of definition files.
        .target(
            name: "HTTPFulfilment",
            dependencies: [
                "Conversation", "IntentEvents", "IntentFiles", "IntentKit", "IntentModel", "IntentRuntime",
                "MessageAuthentication", "Pipeline", "PipelineService", "RDKafkaLog", "RecordLog", "WorkerService",
                .product(name: "DequeModule", package: "swift-collections"), argumentParser, asyncHTTPClient, logging,
                nioCore, nioHTTP1, nioPosix, nioSSL, serviceLifecycle,
            ]),
        .target(
            name: "HTTPWorkerProgram",
            dependencies: ["HTTPFulfilment", "IntentKit", "PipelineService", "SpokenValues", "WorkerService"]),
    ])

// The page and the HTTP interface for many people, agents and operators.
let console = ring(
    "Sources/Console",
    [
        // The person's side for many at once, behind whatever door they come through.
        .target(
            name: "PersonGateway",
            dependencies: [
                "Conversation", "IntentEvents", "IntentModel", "RecordLog",
                .product(name: "DequeModule", package: "swift-collections"), logging, tracing,
            ]),
        // The person's side for programs that act for a person: the conversation, and the protocol that carries it.
        .target(
            name: "MCPServer",
            dependencies: [
                "Conversation", "IntentEvents", "IntentModel", "MessageAuthentication", "PersonGateway",
                serviceLifecycle,
            ]),
        .target(
            name: "Console",
            dependencies: [
                "Conversation", "IntentEvents", "IntentModel", "MCPServer", "MessageAuthentication", "PersonGateway",
                "Pipeline", "PipelineService", "RDKafkaLog", "RecordLog",
                .product(name: "DequeModule", package: "swift-collections"), argumentParser, coreMetrics, httpTypes,
                hummingbird, jwtKit, logging, nioCore, nioPosix, serviceLifecycle,
            ],
            exclude: ["Page"], plugins: ["EmbedPage"]),
    ])

// The kit for tests of handlers, and the simulation.
let testing = ring(
    "Sources/Testing",
    [
        .target(
            name: "PipelineTestKit",
            dependencies: [
                "Conversation", "IntentEvents", "IntentKit", "IntentModel", "IntentRuntime", "Pipeline", "RecordLog",
                "SpokenValues", coreMetrics, logging, tracing,
            ]),
        // Whole pipelines in memory under faults, by seed.
        .target(
            name: "PipelineSimulation",
            dependencies: [
                "Conversation", "IntentEvents", "IntentModel", "Pipeline", "PipelineTestKit", "RecordEncryption",
                "RecordLog", logging,
            ]),
    ])

// The sample domains, and the worker that serves them.
let examples = ring(
    "Examples",
    [
        // One folder a domain, and the data that they share.
        .target(
            name: "SampleDomains", dependencies: ["IntentKit"], path: "Examples",
            exclude: ["Greenhouse", "sample-worker", "SampleWorkerProgram", "Rides/Resources/requests.jsonl"]
                + ["Calls", "Messaging", "Payments", "Rides", "Trails", "Workouts"].map { "\($0)/README.md" },
            resources: ["fleet", "places", "localizations"].map { .embedInCode("Rides/Resources/\($0).json") }),
        .target(
            name: "SampleWorkerProgram",
            dependencies: ["IntentKit", "PipelineService", "SampleDomains", "SpokenValues", "WorkerService"]),
        .executableTarget(name: "sample-worker", dependencies: ["SampleWorkerProgram", "WorkerService"]),
    ])

// Recorded conversations, played through the pipeline.
let benchmarks = ring(
    "Benchmarks",
    [
        .executableTarget(
            name: "sgd-replay",
            dependencies: [
                "Conversation", "IntentEvents", "IntentKit", "IntentModel", "PipelineService", argumentParser, nioCore,
                nioHTTP1, nioPosix,
            ], path: "Benchmarks/SchemaGuidedDialogue"),
        .executableTarget(
            name: "intents-bench",
            dependencies: [
                "Conversation", "IntentEvents", "IntentKit", "IntentModel", "IntentRuntime", "LocalPipeline",
                "Pipeline", "PipelineService", "PipelineTestKit", "RDKafkaLog", "RecordLog", argumentParser, histogram,
                logging,
            ]),
    ])

// The programs: each by itself, and all of them as one.
let programs = ring(
    "Sources/Programs",
    [
        .target(
            name: "IntentCommands",
            dependencies: [
                "Conversation", "DevBroker", "IntentEvents", "IntentFiles", "IntentKit", "IntentModel", "IntentRuntime",
                "LocalPipeline", "MCPServer", "PersonGateway", "Pipeline", "PipelineService", "RDKafkaLog",
                "RecordEncryption", "RecordLog", "SampleDomains", argumentParser, logging,
            ]),
        .executableTarget(name: "intents", dependencies: ["IntentCommands", "PipelineService"]),
        .executableTarget(name: "intent-coordinator", dependencies: ["CoordinatorService", "PipelineService"]),
        .executableTarget(name: "intent-http-worker", dependencies: ["HTTPWorkerProgram"]),
        .executableTarget(name: "intents-console", dependencies: ["Console", "PipelineService"]),
        .executableTarget(
            name: "intent-pipeline",
            dependencies: [
                "Console", "CoordinatorService", "HTTPWorkerProgram", "IntentCommands", "PipelineService",
                "SampleWorkerProgram", "WorkerService", argumentParser,
            ]),
        .executableTarget(
            name: "intents-simulator",
            dependencies: ["Conversation", "PipelineService", "PipelineSimulation", argumentParser]),
    ])

// The tools of the build.
let plugins = ring(
    "Plugins",
    [
        .plugin(name: "EmbedPage", capability: .buildTool(), dependencies: ["embed-files"]),
        .executableTarget(name: "embed-files"),
    ])

let tests = ring(
    "Tests",
    [
        .target(name: "TestTrails", dependencies: ["IntentKit", "PipelineTestKit"], path: "Tests/TestTrails"),
        .target(
            name: "GatewayFixture",
            dependencies: [
                "Conversation", "IntentEvents", "IntentKit", "IntentModel", "PersonGateway", "PipelineTestKit",
                "RecordLog", jwtKit, logging, tracing,
            ], path: "Tests/GatewayFixture"),
        .testTarget(name: "LogTests", dependencies: ["DevBroker", "RDKafkaLog", "RecordLog"]),
        .testTarget(
            name: "IntentKitTests",
            dependencies: [
                "IntentFiles", "IntentKit", "IntentModel", "IntentRuntime", "PipelineTestKit", "SampleDomains",
                "SpokenValues", "TestTrails",
            ], exclude: ["DefinitionFiles/Golden"]),
        .testTarget(
            name: "PipelineTests",
            dependencies: [
                "Conversation", "IntentEvents", "IntentKit", "IntentModel", "IntentRuntime", "Pipeline",
                "PipelineService", "PipelineTestKit", "RecordEncryption", "RecordLog", "TestTrails", logging, tracing,
            ], exclude: ["Golden"]),
        .testTarget(name: "ArchitectureTests"),
        .testTarget(
            name: "ConversationTests", dependencies: ["Conversation", "IntentKit", "IntentModel", "PipelineTestKit"]),
        .testTarget(
            name: "IntentEventsTests",
            dependencies: ["Conversation", "IntentEvents", "IntentKit", "IntentModel", "PipelineTestKit", "RecordLog"],
            exclude: ["Golden", "MalformedEvents.json", "Sessions.jsonl"]),
        .testTarget(
            name: "MCPServerTests",
            dependencies: [
                "Conversation", "IntentEvents", "IntentKit", "IntentModel", "IntentRuntime", "MCPServer",
                "PersonGateway", "Pipeline", "PipelineTestKit", "RecordLog", "SampleDomains", lifecycleTestKit, logging,
            ]),
        .testTarget(
            name: "PipelineServiceTests",
            dependencies: [
                "Conversation", "IntentEvents", "IntentModel", "LocalPipeline", "Pipeline", "PipelineService",
                "RDKafkaLog", "RecordLog", argumentParser, asyncHTTPClient, coreMetrics, logging, nioCore, nioHTTP1,
                nioPosix, serviceLifecycle, tracing,
            ]),
        .testTarget(
            name: "ConsoleTests",
            dependencies: [
                "Console", "Conversation", "GatewayFixture", "IntentEvents", "IntentModel", "MCPServer",
                "PersonGateway", "Pipeline", "PipelineService", "PipelineTestKit", "RecordLog", argumentParser,
                coreMetrics, httpTypes, hummingbird, .product(name: "HummingbirdTesting", package: "hummingbird"),
                logging, nioCore, nioPosix,
            ], exclude: ["page.test.mjs"]),
        .testTarget(
            name: "SimulationTests", dependencies: ["PipelineSimulation"]),
        .testTarget(
            name: "HTTPFulfilmentTests",
            dependencies: [
                "Conversation", "HTTPFulfilment", "IntentEvents", "IntentKit", "IntentModel", "IntentRuntime",
                "MessageAuthentication", "Pipeline", "PipelineTestKit", "RecordLog", asyncHTTPClient, nioCore,
                nioEmbedded, nioHTTP1, nioPosix, nioSSL,
            ]),
        // The tutorial, which shows these files.
        .executableTarget(
            name: "Greenhouse", dependencies: ["IntentKit", "WorkerService"],
            path: "Examples/Greenhouse/Sources/Greenhouse"),
        .testTarget(
            name: "GreenhouseTests", dependencies: ["Greenhouse", "IntentKit", "PipelineTestKit"],
            path: "Examples/Greenhouse/Tests/GreenhouseTests"),
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "Conversation", "IntentEvents", "IntentKit", "IntentModel", "IntentRuntime", "PipelineTestKit",
                "SampleDomains",
            ],
            exclude: ["Rides/Golden"]),
        .testTarget(
            name: "SchemaGuidedDialogueTests",
            dependencies: [
                "Conversation", "IntentEvents", "IntentFiles", "IntentKit", "IntentModel", "IntentRuntime", "RecordLog",
                "sgd-replay",
            ]),
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "app-worker", "Conversation", "DevBroker", "GatewayFixture", "Greenhouse", "intent-coordinator",
                "intent-http-worker", "intent-pipeline", "IntentEvents", "IntentKit", "IntentModel", "intents",
                "intents-bench", "intents-console", "intents-simulator", "PipelineService", "RDKafkaLog",
                "RecordEncryption", "RecordLog", "sample-worker", "sgd-replay", "WorkerService", asyncHTTPClient,
                logging, nioCore, nioHTTP1,
            ]),
        .executableTarget(name: "app-worker", dependencies: ["IntentKit", "WorkerService"], path: "Tests/AppWorker"),
    ])

let package = Package(
    name: "IntentPipeline",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "IntentModel", targets: ["IntentModel"]),
        .library(name: "IntentKit", targets: ["IntentKit"]),
        .library(name: "IntentMacros", targets: ["IntentMacros"]),
        .library(name: "IntentRuntime", targets: ["IntentRuntime"]),
        .library(name: "SpokenValues", targets: ["SpokenValues"]),
        .library(name: "IntentFiles", targets: ["IntentFiles"]),
        .library(name: "Conversation", targets: ["Conversation"]),
        .library(name: "HTTPFulfilment", targets: ["HTTPFulfilment"]),
        .library(name: "IntentEvents", targets: ["IntentEvents"]),
        .library(name: "RecordEncryption", targets: ["RecordEncryption"]),
        .library(name: "RecordLog", targets: ["RecordLog"]),
        .library(name: "RDKafkaLog", targets: ["RDKafkaLog"]),
        .library(name: "Pipeline", targets: ["Pipeline"]),
        .library(name: "WorkerService", targets: ["WorkerService"]),
        .library(name: "PipelineTestKit", targets: ["PipelineTestKit"]),
        .executable(name: "intents", targets: ["intents"]),
        .executable(name: "intent-pipeline", targets: ["intent-pipeline"]),
        .executable(name: "intents-console", targets: ["intents-console"]),
        .executable(name: "intents-simulator", targets: ["intents-simulator"]),
        .executable(name: "intents-bench", targets: ["intents-bench"]),
        .executable(name: "intent-coordinator", targets: ["intent-coordinator"]),
        .executable(name: "sample-worker", targets: ["sample-worker"]),
        .executable(name: "intent-http-worker", targets: ["intent-http-worker"]),
    ],
    traits: [
        .trait(name: "Macros", description: "The macro @Intent. Builds swift-syntax, which takes a minute or two.")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        // Only built with the console.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // Only fetched and built with the trait Macros.
        .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    ],
    targets: authoring + conversation + log + wire + pipeline + service + fulfilment + console + testing + examples
        + benchmarks + programs
        + plugins + tests,
    swiftLanguageModes: [.v6]
)

// The parts that only the fault tables need: deploy/test.sh --all and deploy/faults.sh build them.
if Context.environment["INTENTS_FAULTS"] != nil {
    package.targets += ring(
        "Tests",
        [
            .executableTarget(
                name: "slow-handler", dependencies: ["IntentKit", "SampleDomains", "WorkerService", argumentParser],
                path: "Tests/SlowHandler"),
            .testTarget(
                name: "FaultTests",
                dependencies: [
                    "Conversation", "DevBroker", "intent-coordinator", "intent-http-worker", "IntentCommands",
                    "IntentEvents", "IntentKit", "IntentModel", "intents", "Pipeline", "PipelineService",
                    "PipelineTestKit", "RDKafkaLog", "RecordLog", "sample-worker", "slow-handler",
                ],
                // Compiled when it is needed, as a library of its own.
                exclude: ["FakeClock/fake-clock.c"]),
        ])
}

// The fuzzer is no part of an ordinary build: all that it links has to be instrumented. deploy/fuzz.sh builds it, in a directory of its own.
if Context.environment["INTENTS_FUZZER"] != nil {
    package.targets.append(
        .executableTarget(
            name: "intents-fuzz",
            dependencies: [
                "Conversation", "IntentEvents", "IntentFiles", "IntentKit", "IntentModel", "IntentRuntime", "MCPServer",
                "MessageAuthentication", "Pipeline", "RDKafkaLog", "RecordEncryption", "RecordLog",
            ], path: "Tests/Fuzz", exclude: ["Seeds.json"]))
}

// One set of compiler settings for every Swift target. CI turns warnings into errors.
for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
    if Context.environment["CI"] != nil {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
