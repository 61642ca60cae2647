import Conversation
import DevBroker
import Foundation
import IntentEvents
import IntentModel
import RecordLog
import Testing

/// A pipeline on a broker of this process.
final class ProgramPipeline {
    let broker: DevelopmentBroker
    let topics = Topics()
    private var programs: [String: RunningProgram] = [:]
    private let options: String

    /// Starts a coordinator with these options, a worker for each phase, and a console. Waits until all is fine.
    init(_ options: String = "") async throws {
        self.options = options
        let specifications = topics.specifications(partitions: 4)
        broker = try DevelopmentBroker(
            topics: Dictionary(uniqueKeysWithValues: specifications.map { ($0.name, $0.partitions) }),
            stamped: [topics.catalog])
        try startCoordinator()
        for phase in Phase.allCases { try start("\(phase)", "sample-worker --phase \(phase)") }
        try start("console", "intents-console --listen 127.0.0.1:0")
        try await eventually("the pipeline is fine", within: 120) {
            let faults = try await [faultsInConsole(), faultsInMetrics("coordinator")].flatMap(\.self)
            if !faults.isEmpty { return false }
            return try await faultsOfDoctor().status == 0
        }
    }

    func startCoordinator() throws {
        try start("coordinator", "intent-coordinator --open-handoffs -X session.timeout.ms=6000 \(options)")
    }

    func start(_ name: String, _ command: String) throws {
        programs[name]?.end()
        let options = ["-b", broker.bootstrapServers, "--telemetry", "127.0.0.1:0"]
        programs[name] = try RunningProgram(command, options, stopsWithInput: true)
    }

    func signal(_ name: String, _ number: Int32) {
        if let program = programs[name] { kill(program.pid, number) }
    }

    func end() {
        signal("coordinator", SIGCONT)
        for program in programs.values { program.end() }
        broker.close()
    }

    /// The messages of the failed checks of `intents doctor`, and its exit status.
    func faultsOfDoctor() async throws -> (status: Int32, messages: [String]) {
        let ending = try await Programs.run(
            "intents doctor --output json", ["-b", broker.bootstrapServers], exits: nil)
        let failed = ending.json.filter { $0["status"]?.string == "failed" }
        return (ending.status, failed.compactMap { $0["message"]?.string })
    }

    /// The messages that the page shows.
    func faultsInConsole() async throws -> [String] {
        guard let url = programs["console"]?.value("console")?.dropFirst("http://".count) else {
            return ["starting"]
        }
        let answer = try await RunningPipeline.get("/api/v1/overview", at: String(url))
        let overview = try JSONView(parsing: Array(answer.body.utf8))
        let faults = overview["faults"]?.elements.compactMap { $0["message"]?.string } ?? []
        return overview["caughtUp"]?.bool == true ? faults : ["starting"]
    }

    /// The kinds of faults that the metrics of a process count.
    func faultsInMetrics(_ name: String) async throws -> [String] {
        guard let address = programs[name]?.value("telemetry") else { return ["starting"] }
        let text = try await RunningPipeline.get("/metrics", at: address).body
        return text.matches(of: #/intents_faults{kind="(\w+)"} [1-9]/#).map { String($0.1) }
    }
}
