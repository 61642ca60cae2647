import GatewayFixture
import HTTPTypes
import IntentModel
import Logging
import PersonGateway
import Pipeline
import PipelineService
import Testing

@testable import Console

@Suite("Metrics of the console")
struct ConsoleMetricsTests {
    private let registry = PrometheusRegistry(
        described: PipelineMetric.all, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))

    @Test("how long answers took is told by the route, not by what is in the path, and by the status")
    func durations() async throws {
        try await RunningConsole.with(metrics: registry) { console in
            _ = try await console.call(.post, "/api/v1/requests", #"{"session":"planted-name","intent":"Order"}"#)
            try await console.running.until("a prompt") { $0.session("planted-name")?.openPrompt != nil }
            #expect(try await console.call(.get, "/api/v1/sessions/planted-name").status == 200)
            #expect(try await console.call(.get, "/api/v1/sessions/other").status == 404)
            #expect(try await console.call(.get, "/nothing/planted-name").status == 404)
        }
        let text = registry.text(.prometheus)
        for (method, route, status) in [
            ("POST", "/api/v1/requests", 202), ("GET", "/api/v1/sessions/{session}", 200),
            ("GET", "/api/v1/sessions/{session}", 404),
        ] {
            let series =
                "intents_console_request_duration_seconds_count{method=\"\(method)\",route=\"\(route)\",status=\"\(status)\"} 1"
            #expect(text.contains(series), "\(series) is not in \(text)")
        }
        #expect(!text.contains("planted-name"))
    }

    @Test("readers, those that were cut off, what waits for Kafka and the kept sessions are there from the beginning")
    func load() {
        var metrics = ConsoleMetrics(registry)
        metrics.publish(.init(readers: 3, readersCut: 0, waiting: 2, sessions: 1, gaps: 0))
        var lines = Set(registry.text(.prometheus).split(separator: "\n"))
        #expect(
            lines.isSuperset(of: [
                "intents_console_readers 3", "intents_console_readers_cut_total 0",
                "intents_send_queue_records{role=\"console\"} 2",
                "intents_console_sessions 1", "intents_console_result_gaps_total 0",
                "intents_console_descriptions_left_out_total 0",
            ]))
        metrics.publish(.init(readers: 1, readersCut: 2, waiting: 0, sessions: 4, gaps: 1))
        metrics.publish(.init(readers: 1, readersCut: 2, waiting: 0, sessions: 4, gaps: 1, descriptionsLeftOut: 3))
        lines = Set(registry.text(.prometheus).split(separator: "\n"))
        #expect(
            lines.isSuperset(of: [
                "intents_console_readers 1", "intents_console_readers_cut_total 2",
                "intents_console_result_gaps_total 1",
                "intents_console_descriptions_left_out_total 3",
            ]))
    }
}
