import Testing

/// Checks the imports between modules. The names of the tests are the rules.
@Suite("The layers of the package") struct LayerTests {
    private let code: Codebase
    private static let system: Set<String> = [
        "Foundation", "FoundationEssentials", "Synchronization", "Glibc", "Musl", "Darwin", "Dispatch",
    ]

    init() throws { code = try Codebase.shared.get() }

    private var sources: [PackageDescription.Target] {
        code.package.targets.filter { !$0.isTest && !$0.folder.hasPrefix("Tests/") }
    }
    private var executables: Set<String> { Set(code.package.targets.filter(\.isExecutable).map(\.name)) }
    private static let testKits: Set<String> = ["PipelineSimulation", "PipelineTestKit", "TestTrails"]

    /// The modules that programs are made of. These modules parse arguments and log, as programs do.
    private static let programs: Set = ["PipelineService", "CoordinatorService", "WorkerService", "HTTPFulfilment"]

    /// The targets that packages depending on this one may use, except the modules that programs are made of.
    private var libraries: Set<String> {
        code.package.libraryTargets.filter { !Self.programs.contains($0) }
            .reduce(into: []) { $0.formUnion(code.closure(of: $1)) }
    }

    @Test func `the code under test is found`() {
        let modules: Set = [
            "IntentModel", "IntentKit", "Conversation", "IntentEvents", "RecordLog", "RDKafkaLog", "Pipeline",
        ]
        #expect(libraries.isSuperset(of: modules))
        for name in modules.union(["IntentRuntime", "IntentFiles", "PipelineService", "DevBroker"]) {
            #expect(code.files[name]?.isEmpty == false, "\(name)")
        }
        #expect(code.imports(of: "IntentEvents") == ["Conversation", "IntentModel", "RecordLog"])
    }

    /// Records each line of these targets that a rule forbids.
    private func forbid(_ targets: [String], _ isForbidden: (_ file: Codebase.File, _ line: String) -> String?) {
        for file in targets.flatMap({ code.files[$0] ?? [] }) {
            for line in file.lines {
                if let reason = isForbidden(file, line) { Issue.record("\(file.path) \(reason): \(line)") }
            }
        }
    }

    @Test(arguments: [
        ("IntentModel", ["Foundation", "FoundationEssentials", "Synchronization"]),
        ("IntentKit", ["Foundation", "FoundationEssentials", "IntentModel", "Synchronization"]),
        ("IntentMacros", ["IntentKit"]),
        ("IntentRuntime", ["Foundation", "FoundationEssentials", "IntentKit", "Synchronization"]),
        ("Conversation", ["IntentModel"]), ("IntentEvents", ["Conversation", "IntentModel", "RecordLog"]),
        (
            "IntentFiles",
            [
                "Darwin", "Foundation", "FoundationEssentials", "Glibc", "IntentKit", "IntentModel", "IntentRuntime",
                "Musl", "Yams",
            ]
        ), ("SpokenValues", ["Foundation", "IntentKit"]),
    ])
    func `modules without side effects import only the modules listed here`(_ target: String, _ allowed: [String]) {
        let others = code.imports(of: target).subtracting(allowed)
        #expect(others.isEmpty, "\(target) imports them")
    }

    private static let clocks = [
        "ContinuousClock", "SuspendingClock", "Date()", "Date.now", "Date(timeIntervalSinceNow", "clock_gettime",
        "gettimeofday", "Task.sleep",
    ]

    @Test func `modules without side effects use no clock, no random numbers and no logger`() {
        let banned =
            Self.clocks + [
                "UUID()", "SystemRandomNumberGenerator", ".random(in:", ".randomElement()", ".shuffled()", ".shuffle()",
                "arc4random", "print(", "debugPrint(", "dump(", "NSLog(", "Logger(", "getenv(",
            ]
        forbid([
            "IntentModel", "IntentKit", "IntentRuntime", "IntentFiles", "SpokenValues", "Conversation", "IntentEvents",
        ]) { _, line in banned.first(where: line.contains).map { "has \($0)" } }
    }

    @Test func `the pipeline takes the time only from the clock that it is given`() {
        forbid(["Pipeline"]) { _, line in Self.clocks.first(where: line.contains).map { "has \($0)" } }
    }

    @Test func `no times from outside are added or subtracted as plain numbers: Instant's arithmetic can't overflow`() {
        let sum = #/\b(milliseconds|timestamp)\)? [-+*] | [-+*]=? \(?([A-Za-z_]+\.)*(milliseconds|timestamp)\b(?!\()/#
        forbid(sources.map(\.name).filter { $0 != "DevBroker" }) { file, line in
            line.contains(sum) && !file.path.hasSuffix("Session/Instant.swift") ? "has plain arithmetic" : nil
        }
    }

    /// `true` for a declaration such as `session: String` or `owners: [String: Int]`, and for a comparison with
    /// `data["prompt"]?.string`. The name of a topic is not the name of a session or a request.
    private static func takesNameForText(_ line: String) -> Bool {
        let declared =
            #/\b([a-z]\w*(Session|Principal|Request|Intent|Prompt|Owner|Claimant|Handoff)|session|principal|request|intent|prompt|owner|claimant|handoff|event(?=ID))(ID)?s?: *(\[|Set<)*String\b(?!: JSON)/#
        let compared =
            #/\["(session|request|prompt|intent|event|handoff|claimant)"\]\??\.string\b.*[!=]=|[!=]= .*\["(session|request|prompt|intent|event|handoff|claimant)"\]\??\.string\b/#
        // The expressions are slow, and most lines have neither text.
        return line.contains("String") && line.contains(declared) || line.contains("string") && line.contains(compared)
    }

    @Test func `names of principals, sessions, requests and the like are identifiers, not texts`() {
        // Topics have names, and texts fill URLs.
        let others = ["IntentEvents/Topics.swift", "HTTPFulfilment/Calls/FulfilmentURL.swift"]
        forbid([
            "Conversation", "IntentEvents", "Pipeline", "RecordEncryption", "PersonGateway", "MCPServer", "Console",
            "HTTPFulfilment", "CoordinatorService", "WorkerService",
        ]) { file, line in
            guard Self.takesNameForText(line), !others.contains(where: file.path.hasSuffix) else { return nil }
            return "has a name as a text, which equals texts of other bytes: use an Identifier"
        }
    }

    @Test(arguments: [
        ("    let session: String", true), ("func find(_ request: String?) {", true),
        ("var eventID: String { \"\" }", true), ("private var sessions: [String: Entry] = [:]", true),
        ("var openPrompts: Set<String> = []", true), ("case claimed(handoff: String, claimant: String)", true),
        ("where data[\"prompt\"]?.string == prompt.text", true),
        ("if id.text != data[\"session\"]?.string {", true), ("let session: Identifier", false),
        ("var persons: [Principal: [String: Value]] = [:]", false), ("var intents: [String: JSON] = [:]", false),
        ("let title = data[\"intent\"]?.string ?? \"\"", false), ("enum Prompt: String {", false),
        ("let requestTopic: String", false),
    ])
    func `a line that has a name as a text is found, and no other one`(_ line: String, _ isFound: Bool) {
        #expect(Self.takesNameForText(line) == isFound)
    }

    @Test func `every program ends without exit handlers: OpenSSL's would race with the threads that still run`() {
        forbid(Array(code.files.keys)) { file, line in
            let isCall = line.firstMatch(of: /(^|[^_\w.])(Foundation\.)?exit\(/) != nil
            return isCall && !file.path.hasPrefix("Plugins/embed-files/") ? "calls exit instead of endProcess" : nil
        }
    }

    @Test func `the conversation is not asynchronous`() {
        forbid(["Conversation"]) { _, line in
            let words = Set(line.split { !$0.isLetter })
            return words.isDisjoint(with: ["async", "await", "Task", "actor"]) ? nil : "is asynchronous"
        }
    }

    @Test func `encryption knows no clock and no Kafka, and neither the log nor the pipeline knows of it`() {
        #expect(
            code.closure(of: "RecordEncryption") == [
                "RecordEncryption", "Conversation", "IntentEvents", "IntentModel", "RecordLog", "MessageAuthentication",
                "CLibCrypto",
            ])
        for target in ["Pipeline", "IntentEvents", "RecordLog", "RDKafkaLog"] {
            #expect(!code.imports(of: target).contains("RecordEncryption"), "\(target)")
        }
        forbid(["RecordEncryption"]) { _, line in ["Date()", "Clock"].first(where: line.contains).map { "has \($0)" } }
    }

    private static let kafka: Set<String> = ["RDKafkaLog", "CRDKafka", "DevBroker"]
    private static let domain: Set<String> = [
        "IntentModel", "IntentKit", "IntentRuntime", "IntentFiles", "Conversation", "IntentEvents", "Pipeline",
        "PipelineService", "PipelineTestKit",
    ]

    @Test(arguments: [
        (["RDKafkaLog", "RecordLog", "DevBroker"], domain),
        (["Pipeline", "PipelineTestKit", "IntentRuntime", "IntentFiles", "Conversation", "IntentEvents"], kafka),
    ])
    func `the log imports no intent modules, and the pipeline no Kafka`(_ targets: [String], _ forbidden: Set<String>) {
        for target in targets {
            #expect(code.imports(of: target).isDisjoint(with: forbidden), "\(target)")
            #expect(code.closure(of: target).isDisjoint(with: forbidden), "\(target)")
        }
    }

    @Test(arguments: [
        (
            "Calls", "AsyncHTTPClient",
            ["Conversation", "Pipeline", "PipelineService", "RDKafkaLog", "RecordLog", "WorkerService"]
        ),
        ("Callbacks", "RecordLog", ["IntentKit", "IntentRuntime", "RDKafkaLog", "PipelineService", "ArgumentParser"]),
    ])
    func `calls import no pipeline, and callbacks no intents`(_ folder: String, _ used: String, _ forbidden: [String]) {
        let files = (code.files["HTTPFulfilment"] ?? []).filter { $0.path.contains("/HTTPFulfilment/\(folder)/") }
        let imports: Set<String> = files.reduce(into: []) { $0.formUnion($1.imports) }
        #expect(imports.contains(used) && imports.isDisjoint(with: forbidden))
    }

    @Test(arguments: [("CRDKafka", "RDKafkaLog"), ("CLibCrypto", "MessageAuthentication"), ("Yams", "IntentFiles")])
    func `one module imports each C library, and the parser of definition files`(_ library: String, _ user: String) {
        for target in code.package.targets where target.name != user {
            // The fault tests change and delete topics of a Kafka, which no product does.
            if target.name != "FaultTests" || library != "CRDKafka" {
                #expect(!code.imports(of: target.name).contains(library), "\(target.name) imports \(library)")
            }
            #expect(!target.dependencies.contains { $0.name == library }, "\(target.name) depends on \(library)")
        }
        #expect(code.imports(of: user).contains(library))
    }

    @Test func `only programs that read spoken text, and the test kit, import the words of languages`() {
        let users: Set = ["SampleWorkerProgram", "HTTPWorkerProgram", "PipelineTestKit"]
        #expect(Set(sources.map(\.name).filter { code.imports(of: $0).contains("SpokenValues") }) == users)
        #expect(!["intent-coordinator", "WorkerService"].contains { code.closure(of: $0).contains("SpokenValues") })
    }

    @Test func `the benchmark alone needs histograms`() {
        let users = code.package.targets.filter { $0.dependencies.contains { $0.name == "Histogram" } }
        #expect(users.map(\.name) == ["intents-bench"])
    }

    @Test func `no library parses arguments, needs a test kit or an executable, or bootstraps logging`() {
        for name in libraries.sorted() {
            let imports = code.imports(of: name)
            #expect(!imports.contains("ArgumentParser"), "\(name)")
            #expect(imports.isDisjoint(with: executables), "\(name) imports an executable")
            #expect(imports.isDisjoint(with: Self.testKits.subtracting([name])), "\(name) imports a test kit")
            #expect(code.target(name)?.dependencies.contains { $0.name == "ArgumentParser" } == false, "\(name)")
            for file in code.files[name] ?? [] {
                #expect(!file.lines.contains { $0.contains("LoggingSystem.bootstrap") }, "\(file.path)")
            }
        }
    }

    @Test func `a coordinator is built without intents and definition files, and with HTTP for its telemetry alone`() {
        let closure = code.closure(of: "intent-coordinator")
        #expect(
            closure == [
                "intent-coordinator", "CoordinatorService", "PipelineService", "Pipeline", "Conversation",
                "IntentEvents", "IntentModel", "RecordEncryption", "RecordLog", "RDKafkaLog", "CRDKafka",
                "MessageAuthentication", "CLibCrypto",
            ])
        #expect(
            code.packageProducts(of: closure) == [
                "ArgumentParser", "CoreMetrics", "DequeModule", "HeapModule", "Logging", "NIOCore", "NIOHTTP1",
                "NIOPosix", "ServiceLifecycle", "Tracing", "UnixSignals",
            ])
        expectHTTPForTelemetryAlone(closure)
    }

    @Test func `a worker is built without definition files and HTTP, unless its program asks for them`() {
        let lean = code.closure(of: "sample-worker")
        #expect(lean.isDisjoint(with: ["IntentFiles", "HTTPFulfilment"]))
        #expect(code.packageProducts(of: lean).isDisjoint(with: ["AsyncHTTPClient", "NIOSSL", "Yams"]))
        expectHTTPForTelemetryAlone(lean)
        #expect(code.closure(of: "intent-http-worker").isSuperset(of: ["IntentFiles", "HTTPFulfilment"]))
    }

    private func expectHTTPForTelemetryAlone(_ targets: Set<String>) {
        for file in targets.flatMap({ code.files[$0] ?? [] }) where !file.path.contains("/PipelineService/Telemetry/") {
            #expect(file.imports.allSatisfy { !$0.hasPrefix("NIO") }, "\(file.path)")
        }
    }

    @Test func `no library depends on the modules that programs are made of, and these depend on no domain or tool`() {
        #expect(libraries.isDisjoint(with: Self.programs.union(["DevBroker"])))
        #expect(libraries.isDisjoint(with: executables))
        for program in Self.programs {
            let closure = code.closure(of: program).subtracting(Self.programs)
            #expect(closure.isDisjoint(with: executables.union(Self.testKits).union(["DevBroker"])))
            #expect(closure.isSubset(of: libraries), "\(program) depends on targets that are not libraries")
        }
    }

    @Test func `the public API of the modules that programs are made of only makes workers`() {
        for program in Self.programs {
            let open = (code.files[program] ?? []).filter { file in
                // Calls and callbacks are separate libraries: a program may use them without definition files.
                if program == "HTTPFulfilment", !file.path.contains("/Definitions/") { return false }
                return file.lines.contains { $0.hasPrefix("public ") && !$0.contains("import ") }
            }
            let expected = [
                "WorkerService": ["IntentSource", "IntentWorker", "WorkerEnvironment", "WorkerProgram", "WorkerRole"],
                "HTTPFulfilment": ["Definitions/HTTPDefinitions"],
            ][program, default: []]
            let folder = code.target(program)?.folder ?? ""
            #expect(open.map(\.path) == expected.map { "\(folder)/\($0).swift" })
        }
    }

    @Test func `the sample domains import the modules of app authors`() {
        #expect(code.imports(of: "SampleDomains").subtracting(Self.system) == ["IntentKit"])
    }

    @Test func `every import is declared, and every declared dependency is used`() {
        let own = Set(code.package.targets.map(\.name))
        // A plugin runs programs of the package, and imports none of it.
        for target in sources where target.type != "system" && target.type != "plugin" {
            let declared = Set(target.dependencies.map(\.name))
            let imported = code.imports(of: target.name).subtracting(Self.system)
            let undeclared = imported.intersection(own).subtracting(declared)
            // A macro is loaded by the compiler: nothing imports it.
            let macros = Set(code.package.targets.filter { $0.type == "macro" }.map(\.name))
            let unused = declared.subtracting(imported).subtracting(macros)
            #expect(undeclared.isEmpty, "\(target.name) imports them without declaring it")
            #expect(unused.isEmpty, "\(target.name) declares them and imports them nowhere")
        }
    }

    @Test(
        arguments: [
            ("import RDKafkaLog", "RDKafkaLog"), ("  public import RDKafkaLog  ", "RDKafkaLog"),
            ("@preconcurrency internal import RDKafkaLog", "RDKafkaLog"),
            ("@testable import struct RDKafkaLog.KafkaLog", "RDKafkaLog"), ("let import = RDKafkaLog", nil),
            ("important Kafka", nil),
        ] as [(String, String?)])
    func `an import is found in every form`(_ line: String, _ module: String?) {
        #expect(Codebase.importedModule(line) == module)
    }
}
