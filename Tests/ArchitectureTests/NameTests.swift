import Testing

/// Checks that names work on any machine and together with any other package.
@Suite("Names") struct NameTests {
    private let code: Codebase
    private let repository: Repository

    init() throws {
        code = try Codebase.shared.get()
        repository = try Repository.shared.get()
    }

    /// Modules of Apple's SDKs, and of packages that users also import, that could be confused with modules of this
    /// package.
    private static let taken = Set(
        """
        Accounts AppIntents AppIntentsTesting AppKit AuthenticationServices BackgroundTasks CallKit Charts CloudKit \
        Combine Contacts ContactsUI CoreData CoreLocation CoreSpotlight CryptoKit Darwin Dispatch Distributed EventKit \
        FinanceKit Foundation FoundationModels HealthKit HomeKit IdentityLookup Intents IntentsUI LocalAuthentication \
        MapKit Messages MessageUI Network NaturalLanguage Observation OSLog PassKit Security ServiceManagement \
        ShazamKit SiriKit Speech StoreKit SwiftData SwiftUI Synchronization System Testing TipKit Translation \
        UserNotifications WeatherKit WidgetKit WorkoutKit XCTest ArgumentParser AsyncHTTPClient Crypto Histogram \
        Hummingbird Instrumentation Jobs Kafka KafkaFoundationCompat Crdkafka Logging Metrics MQTTNIO NATS NIOCore \
        NIOPosix OpenAPIRuntime OTel ServiceContextModule ServiceLifecycle SwiftKafka SystemPackage Temporal Tracing \
        UnixSignals Valkey Vapor Yams
        """.split(separator: " ").map(String.init))

    @Test func `no two paths differ only in letter case`() {
        let folded = Dictionary(grouping: repository.places) { $0.lowercased() }
        let same = folded.values.filter { $0.count > 1 }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
        #expect(repository.places.contains("Package.swift"))
        #expect(same.isEmpty, "a file system that ignores letter case can't hold both")
    }

    @Test func `no two modules differ only in letter case or punctuation`() {
        let folded = Dictionary(grouping: code.package.targets.map(\.name)) {
            $0.lowercased().filter { $0.isLetter || $0.isNumber }
        }
        let same = folded.values.filter { $0.count > 1 }.map { $0.sorted() }
        #expect(same.isEmpty)
    }

    @Test func `no module has the name of one of Apple's, or of a package that users also import`() {
        // Letter case matters: `intents` is a program, whose module no other target can import.
        let same = code.package.targets.map(\.name).filter(Self.taken.contains)
        #expect(same.isEmpty)
    }

    /// `RecordLog.Record` can't be written where `RecordLog` is also a type.
    @Test func `no module has a type with its own name that other modules see`() {
        for target in code.package.targets {
            let open = code.types(in: target.name).filter { $0.isOpen && $0.name == target.moduleName }
            #expect(open.isEmpty, "\(target.name): \(open.map(\.path))")
        }
    }

    @Test func `no library or program has a type that hides a type of a module it imports`() {
        for target in code.package.targets where target.folder.hasPrefix("Sources/") {
            let own = code.types(in: target.name)
            for module in code.visibleModules(in: target.name).subtracting([target.name]) {
                let visible = Set(code.types(in: module).filter(\.isOpen).map(\.name))
                for type in own where visible.contains(type.name) {
                    Issue.record("\(type.path) declares \(type.name), which \(module) has too")
                }
            }
        }
    }

    @Test(
        arguments: [
            ("public struct Record: Sendable {", "Record"), ("@dynamicMemberLookup public final class A<T> {", "A"),
            ("package indirect enum Tree {", "Tree"), ("struct Hidden {", "Hidden (hidden)"),
            ("public typealias Key = String", "Key"), ("    public struct Nested {", nil), ("extension Record {", nil),
            ("public let struct = 1", nil),
        ] as [(String, String?)])
    func `a declaration of a type is found in every form`(_ line: String, _ found: String?) {
        #expect(Codebase.declaredType(line).map { $0.name + ($0.isOpen ? "" : " (hidden)") } == found)
    }
}
