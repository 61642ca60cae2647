import Logging
import RecordLog
import Testing
import WorkerService

@testable import Greenhouse

@Suite("A worker in a program that has its own main", .tags(.processes, .slow), .timeLimit(.minutes(3)))
struct IntentWorkerTests {
    private let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    @Test("serves its intents until it is cancelled, and then returns")
    func serves() async throws {
        try await RunningPipeline.with(["--resolvers", "0", "--confirmers", "0", "--handlers", "0"]) { pipeline in
            var configuration = IntentWorker.Configuration(
                bootstrapServers: pipeline.servers, roles: [.resolve, .confirm, .handle])
            configuration.instance = "embedded"
            let worker = try IntentWorker(
                extensions: [GreenhouseExtension()], configuration: configuration, logger: logger)
            let running = Task { try await worker.run() }
            let talk = try await pipeline.intents(
                ["chat", "WaterPlant", "-p", "plant=fern"], input: "Boston fern\ny\n")
            running.cancel()
            try await running.value
            #expect(talk.status == 0, "\(talk.output)\(talk.errors)")
            #expect(talk.output.contains("The Boston fern says thank you."), "\(talk.output)")
        }
    }

    @Test("names a property that the pipeline depends on")
    func properties() {
        let configuration = IntentWorker.Configuration(
            bootstrapServers: "h:1", properties: ["enable.auto.commit": "true"])
        do {
            _ = try IntentWorker(extensions: [GreenhouseExtension()], configuration: configuration, logger: logger)
            Issue.record("the property was accepted")
        } catch {
            #expect((error as? LogError)?.message.contains("enable.auto.commit") == true, "\(error)")
        }
    }
}
