// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Greenhouse",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../IntentPipeline")
    ],
    targets: [
        .executableTarget(
            name: "Greenhouse",
            dependencies: [
                .product(name: "IntentKit", package: "IntentPipeline"),
                .product(name: "WorkerService", package: "IntentPipeline"),
            ]),
        .testTarget(
            name: "GreenhouseTests",
            dependencies: [
                "Greenhouse",
                .product(name: "PipelineTestKit", package: "IntentPipeline"),
            ]),
    ]
)
