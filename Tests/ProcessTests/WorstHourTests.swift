import Conversation
import DevBroker
import Foundation
import IntentEvents
import IntentModel
import RecordLog
import Testing

/// Faults that stop a pipeline of real processes. Each is seen by the doctor, in the console and in the metrics that the
/// alerts use, and is gone after the mend. The seconds until then are printed: the promise is 15, 15 and 30.
@Suite("The worst hour", .tags(.processes, .slow), .serialized, .timeLimit(.minutes(10)))
struct WorstHourTests {
    /// A pipeline on a broker of this process.
    private final class Pipeline {
        let broker: DevelopmentBroker
        let topics = Topics()
        private var programs: [String: RunningProgram] = [:]

        init() async throws {
            let specifications = topics.specifications(partitions: 4)
            broker = try DevelopmentBroker(
                topics: Dictionary(uniqueKeysWithValues: specifications.map { ($0.name, $0.partitions) }),
                stamped: [topics.catalog])
            try start("coordinator", "intent-coordinator --open-handoffs -X session.timeout.ms=6000")
            for phase in Phase.allCases { try start("\(phase)", "sample-worker --phase \(phase)") }
            try start("console", "intents-console --listen 127.0.0.1:0")
            try await eventually("the pipeline is fine", within: 120) {
                let faults = try await [faultsInConsole(), faultsInMetrics("coordinator")].flatMap(\.self)
                if !faults.isEmpty { return false }
                return try await faultsOfDoctor().status == 0
            }
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

    private static func seconds(since start: ContinuousClock.Instant) -> String {
        "\(start.duration(to: .now).components.seconds) s"
    }

    /// Breaks the pipeline, and waits until everyone tells of it; then mends it, and waits until nobody does.
    ///
    /// - Parameter process: The process whose metrics tell it.
    private func play(
        _ name: String, _ text: String, inConsole: String? = nil, _ kind: PipelineFault.Kind,
        metricsOf process: String = "console", _ pipeline: Pipeline, break fault: () throws -> Void,
        mend: () throws -> Void
    ) async throws {
        var times: [String] = []
        func wait(_ what: String, _ condition: @escaping () async throws -> Bool) async throws {
            let start = ContinuousClock.now
            try await eventually("\(name): \(what)", within: 120, condition)
            times.append("\(what) \(Self.seconds(since: start))")
        }
        let start = ContinuousClock.now
        try fault()
        try await wait("page") { try await pipeline.faultsInConsole().contains { $0.contains(inConsole ?? text) } }
        try await wait("metrics") { try await pipeline.faultsInMetrics(process).contains(kind.rawValue) }
        try await wait("doctor") {
            let (status, messages) = try await pipeline.faultsOfDoctor()
            return status == 1 && messages.contains { $0.contains(text) }
        }
        times.append("all \(Self.seconds(since: start))")
        try mend()
        try await wait("mended page") { try await pipeline.faultsInConsole().isEmpty }
        try await wait("mended metrics") { try await pipeline.faultsInMetrics(process).isEmpty }
        try await wait("mended doctor") {
            let (_, messages) = try await pipeline.faultsOfDoctor()
            return !messages.contains { $0.contains(text) }
        }
        print("\(name): \(times.joined(separator: ", "))")
    }

    @Test
    func `a fault that stops the pipeline is seen by the doctor, the page and the metrics, and goes with its mend`()
        async throws
    {
        let pipeline = try await Pipeline()
        defer { pipeline.end() }
        try await play(
            "coordinator killed", "have no coordinator", .partitionsWithoutOwner, pipeline,
            break: { pipeline.signal("coordinator", SIGKILL) },
            mend: {
                try pipeline.start("coordinator", "intent-coordinator --open-handoffs -X session.timeout.ms=6000")
            })
        try await play(
            "coordinator frozen", "has not renewed its lease", .processLate, pipeline,
            break: { pipeline.signal("coordinator", SIGSTOP) }, mend: { pipeline.signal("coordinator", SIGCONT) })
        try await play(
            "all resolvers killed", "takes the phase resolve", .phaseWithoutWorker, metricsOf: "coordinator", pipeline,
            break: { pipeline.signal("resolve", SIGKILL) },
            mend: { try pipeline.start("resolve", "sample-worker --phase resolve") })
        try await play(
            "partition without a leader", "no broker leads 1 of 4 partitions of intents.results",
            .partitionWithoutLeader, metricsOf: "coordinator", pipeline,
            break: { try pipeline.broker.setLeader(of: pipeline.topics.results, partition: 2, isAway: true) },
            mend: { try pipeline.broker.setLeader(of: pipeline.topics.results, partition: 2, isAway: false) })
        try await play(
            "broker gone", "did not return its topics", inConsole: "Kafka has not answered", .brokerUnreachable,
            metricsOf: "coordinator", pipeline,
            break: { try pipeline.broker.setDown(true) }, mend: { try pipeline.broker.setDown(false) })
    }
}
