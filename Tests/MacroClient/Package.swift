// swift-tools-version: 6.2
import PackageDescription

// A package that uses @Intent as other packages do. The package is separate because the macro needs swift-syntax, which
// no other part of the repository builds.
let package = Package(
    name: "MacroClient",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "IntentPipeline", path: "../..", traits: ["Macros"])],
    targets: [
        .target(
            name: "Garden",
            dependencies: [
                .product(name: "IntentKit", package: "IntentPipeline"),
                .product(name: "IntentMacros", package: "IntentPipeline"),
            ]),
        .testTarget(
            name: "MacroClientTests",
            dependencies: [
                "Garden",
                .product(name: "IntentKit", package: "IntentPipeline"),
                .product(name: "IntentModel", package: "IntentPipeline"),
                .product(name: "IntentRuntime", package: "IntentPipeline"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// The target must not compile: each of its files has a mistake that the macro has to name.
if Context.environment["INTENTS_MACRO_MISTAKES"] != nil {
    package.targets.append(
        .target(name: "Mistakes", dependencies: [.product(name: "IntentMacros", package: "IntentPipeline")]))
}
