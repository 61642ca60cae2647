import Foundation
import IntentModel
import Synchronization

/// The processes of a pipeline. A process that ends unexpectedly is restarted at once.
final class Fleet: @unchecked Sendable {
    struct Size: Sendable {
        var coordinators = 1
        var resolvers = 1
        var confirmers = 1
        var handlers = 1
    }

    enum Role: String, CaseIterable, Sendable {
        case coordinator
        case resolver = "resolve"
        case confirmer = "confirm"
        case handler = "handle"

        var program: String { self == .coordinator ? "intent-coordinator" : "sample-worker" }
        /// The arguments that select a worker's phase.
        var phase: [String] { self == .coordinator ? [] : ["--phase", rawValue] }
    }

    private struct Member {
        var program: String
        var arguments: [String]
        /// The directory of the member's program.
        var directory: URL
        var process: Process?
        var input: Pipe?
        /// The partitions that the process last reported; `nil` until the process has joined.
        var partitions: [Int]?
        var announcements = 0
        var starts = 0
        /// `true` if the process is ending for good, without a restart.
        var isLeaving = false
        /// `true` if the tests have sent the running process a signal that ends it.
        var wasEnded = false
        /// The endings that no signal of the tests had caused.
        var deaths: [String] = []
    }

    /// The endings of processes that are asked to end, or are killed.
    static let expectedEndings: Set<String> = ["code 0", "signal \(SIGKILL)", "signal \(SIGTERM)"]

    private struct State {
        var directory = Fleet.programs
        var members: [String: Member] = [:]
        var isEnding = false
        /// The number of processes by ending, including those at the end of the run. An ending is a process's exit code,
        /// or the signal that ended it.
        var endings: [String: Int] = [:]
        /// The number of processes that were started for members that have left.
        var left = 0
    }

    private let shared: [String]
    /// Further arguments by the process's name. The last value of a repeated option counts.
    private let special: [String: [String]]
    private let environment: [String: String]
    private let state = Mutex(State())
    private let errors: URL
    /// The sample store of this fleet alone.
    private let sampleData: URL
    private let errorsHandle: FileHandle

    /// - Parameters:
    ///   - shared: The arguments of every process.
    ///   - special: Further arguments by the process's name.
    ///   - environment: The variables that are added to every process's environment.
    init(shared: [String], special: [String: [String]] = [:], environment: [String: String] = [:]) throws {
        (self.shared, self.special, self.environment) = (shared, special, environment)
        errors = FileManager.default.temporaryDirectory.appendingPathComponent("intents-faults-\(UUID().uuidString)")
        sampleData = FileManager.default.temporaryDirectory.appendingPathComponent(
            "intents-faults-data-\(UUID().uuidString)")
        try Data().write(to: errors)
        errorsHandle = try FileHandle(forWritingTo: errors)
    }

    /// The logs of the processes.
    var log: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    /// The directory of the programs: `FAULTS_PROGRAMS`, or else the directory that these tests were built in.
    static let programs = directory("FAULTS_PROGRAMS") ?? ownPrograms

    /// Returns the directory that a variable of the environment names.
    static func directory(_ variable: String) -> URL? {
        ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) }
    }

    /// The directory that these tests were built in.
    static let ownPrograms: URL = {
        let running = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: running ?? CommandLine.arguments[0]).deletingLastPathComponent()
    }()

    // MARK: Members

    /// Starts a process.
    func join(_ name: String, program: String, _ extra: [String] = []) {
        let arguments = shared + ["--instance", name, "--stop-with-input"] + extra + (special[name] ?? [])
        let directory = state.withLock(\.directory)
        state.withLock { $0.members[name] = Member(program: program, arguments: arguments, directory: directory) }
        start(name)
    }

    /// Sets the directory of the programs of members that join from now on.
    func use(_ directory: URL) { state.withLock { $0.directory = directory } }

    /// Asks a process to end, and starts the program of this directory instead.
    func replace(_ name: String, from directory: URL) async throws {
        let starts = state.withLock { state in
            state.members[name]?.directory = directory
            return state.members[name]?.starts ?? 0
        }
        signal(name, SIGTERM)
        try await eventually("\(name) ends and starts again") {
            state.withLock { $0.members[name]?.starts ?? 0 } > starts
        }
        try await allJoined()
    }

    /// Starts this many processes of each role and one for the app, and waits until all have joined.
    func start(_ size: Size, coordinator: [String], handler: (program: String, arguments: [String])?) async throws {
        let counts = [size.coordinators, size.resolvers, size.confirmers, size.handlers]
        for (role, count) in zip(Role.allCases, counts) {
            let special = role == .handler ? handler : nil
            let extra = special?.arguments ?? (role == .coordinator ? coordinator : [])
            for number in 1...count {
                join("\(role)-\(number)", program: special?.program ?? role.program, role.phase + extra)
            }
        }
        join("app-handler", program: "sample-worker", ["--phase", "handle-in-app"])
        try await allJoined()
    }

    func allJoined() async throws {
        try await eventually("all processes have joined: \(missing.joined(separator: ", "))") { missing.isEmpty }
    }

    private var missing: [String] {
        state.withLock { $0.members.filter { $0.value.partitions == nil }.map(\.key).sorted() }
    }

    /// Returns the partitions that a process last reported; `nil` until the process has joined.
    func partitions(_ name: String) -> [Int]? { state.withLock { $0.members[name]?.partitions } }

    /// Returns the number of times that a process has reported its partitions.
    func announcements(_ name: String) -> Int { state.withLock { $0.members[name]?.announcements ?? 0 } }

    /// The number of processes, running or starting.
    var count: Int { state.withLock { $0.members.count } }

    /// The processes that ended unexpectedly, with their endings.
    var deaths: [String] {
        state.withLock { state in
            state.members.sorted { $0.key < $1.key }.filter { !$0.value.deaths.isEmpty }
                .map { "\($0.key) (\($0.value.deaths.joined(separator: ", ")))" }
        }
    }

    /// The number of processes by ending.
    var endings: [String: Int] { state.withLock { $0.endings } }

    /// The names of all processes.
    var names: [String] { state.withLock { $0.members.keys.sorted() } }

    /// Sends a signal. After a signal that ends the process, its partitions are `nil` until the restarted process has
    /// joined.
    func signal(_ name: String, _ number: Int32) {
        state.withLock { state in
            guard let process = state.members[name]?.process, process.isRunning else { return }
            if number == SIGKILL || number == SIGTERM {
                state.members[name]?.wasEnded = true
                state.members[name]?.partitions = nil
            }
            kill(process.processIdentifier, number)
        }
    }

    /// Stops a process for good.
    func leave(_ name: String) async throws {
        // `Process` traps if it is asked to end a process that has not started.
        try await eventually("\(name) starts") {
            state.withLock { $0.members[name]?.process }?.processIdentifier ?? 0 != 0
        }
        let process = state.withLock { state in
            state.members[name]?.isLeaving = true
            return state.members[name]?.process
        }
        process?.terminate()
        try await eventually("\(name) ends when it is asked to", within: .seconds(60)) { process?.isRunning != true }
        state.withLock { state in
            state.left += state.members[name]?.starts ?? 0
            state.members[name] = nil
        }
    }

    /// Stops all processes.
    func end() async {
        let processes = state.withLock { state in
            state.isEnding = true
            return state.members.values.compactMap(\.process)
        }
        for process in processes where process.isRunning {
            kill(process.processIdentifier, SIGCONT)
            process.terminate()
        }
        try? await eventually("the processes end", within: .seconds(20)) { processes.allSatisfy { !$0.isRunning } }
        for process in processes where process.isRunning { kill(process.processIdentifier, SIGKILL) }
        // The termination handlers report the endings a moment later.
        let count = state.withLock { $0.members.values.reduce(0) { $0 + $1.starts } + $0.left }
        try? await eventually("all endings are known", within: .seconds(5)) { endings.values.reduce(0, +) >= count }
    }

    /// Removes the logs and the sample store.
    func removeFiles() {
        try? FileManager.default.removeItem(at: errors)
        try? FileManager.default.removeItem(at: sampleData)
    }

    // MARK: Starting

    private func start(_ name: String) {
        ProcessStarter.shared.start { [self] in
            do {
                try run(name)
            } catch {
                state.withLock { state in
                    state.members[name]?.deaths.append("not started")
                    state.endings["not started", default: 0] += 1
                }
            }
        }
    }

    private func run(_ name: String) throws {
        guard let member = state.withLock({ $0.members[name] }) else { return }
        let process = Process()
        process.executableURL = member.directory.appendingPathComponent(member.program)
        process.arguments = member.arguments
        let variables = [
            "INTENTS_SAMPLE_DATA": sampleData.path, "INTENTS_HANDOFF_SECRET": "a secret of the fault tests",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }.merging(environment) { $1 }
        // The pipe stays open while these tests run, because a process ends when its input ends.
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errorsHandle
        output.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
            } else {
                self?.heard(String(decoding: data, as: UTF8.self), from: name)
            }
        }
        process.terminationHandler = { [weak self] process in self?.ended(name, process) }
        let mayRun = state.withLock { state in
            guard !state.isEnding, var member = state.members[name] else { return false }
            member.starts += 1
            member.partitions = nil
            member.wasEnded = false
            member.process = process
            member.input = input
            state.members[name] = member
            return true
        }
        if mayRun { try process.run() }
    }

    /// Handles a process's report of its partitions: a JSON line, flushed at once.
    private func heard(_ text: String, from name: String) {
        for line in text.split(separator: "\n") {
            guard let partitions = try? JSONView(parsing: Array(line.utf8))["partitions"] else { continue }
            let numbers = partitions.elements.compactMap(\.int)
            state.withLock { state in
                state.members[name]?.partitions = numbers
                state.members[name]?.announcements += 1
            }
        }
    }

    private func ended(_ name: String, _ process: Process) {
        let ending = "\(process.terminationReason == .exit ? "code" : "signal") \(process.terminationStatus)"
        let isAgain = state.withLock { state in
            state.endings[ending, default: 0] += 1
            guard let member = state.members[name], member.process === process, !state.isEnding, !member.isLeaving
            else { return false }
            if !member.wasEnded { state.members[name]?.deaths.append(ending) }
            return member.deaths.count < 20
        }
        guard isAgain else { return }
        // The delay is that of a supervisor, so that a process that can't run does not start a hundred times.
        DispatchQueue.global().asyncAfter(deadline: .now() + (Self.expectedEndings.contains(ending) ? 0 : 1)) {
            [weak self] in
            self?.start(name)
        }
    }
}
