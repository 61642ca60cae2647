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
    private static func seconds(since start: ContinuousClock.Instant) -> String {
        "\(start.duration(to: .now).components.seconds) s"
    }

    /// Breaks the pipeline, and waits until everyone tells of it; then mends it, and waits until nobody does.
    ///
    /// - Parameter process: The process whose metrics tell it.
    private func play(
        _ name: String, _ text: String, inConsole: String? = nil, _ kind: PipelineFault.Kind,
        metricsOf process: String = "console", _ pipeline: ProgramPipeline, break fault: () throws -> Void,
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
        let pipeline = try await ProgramPipeline()
        defer { pipeline.end() }
        try await play(
            "coordinator killed", "have no coordinator", .partitionsWithoutOwner, pipeline,
            break: { pipeline.signal("coordinator", SIGKILL) },
            mend: { try pipeline.startCoordinator() })
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
