import Conversation
import Foundation
import GatewayFixture
import HTTPTypes
import HummingbirdTesting
import IntentEvents
import IntentModel
import NIOCore
import PipelineTestKit
import RecordLog
import Testing

@testable import Console
@testable import PersonGateway

@Suite("The console's streams")
struct StreamRoutesTests {
    @Test("a stream tells an event once that came while its reader began to follow")
    func once() async throws {
        try await RunningConsole.with { console in
            _ = try await console.running.ask("s")
            let gateway = console.running.gateway
            let event = try #require(gateway.session("s")?.events.first { $0.origin == .results })
            let path =
                "/api/v1/sessions/s/events?last-event-id=\(event.position.partition):\(event.position.offset - 1)"
            let answer = Task { [client = console.client] in
                try await client.execute(uri: path, method: .get, headers: [:], body: nil)
            }
            let deadline = ContinuousClock.now.advanced(by: .seconds(30))
            while gateway.load.readers == 0, ContinuousClock.now < deadline { await Task.yield() }
            // The event is on the gateway's board, so the reader has it. Now the gateway sends the event to its
            // followers too.
            gateway.publish([event])
            try console.running.close()
            let text = String(buffer: try await answer.value.body)
            #expect(text.components(separatedBy: "id: \(event.position)\n").count == 2)
        }
    }

    @Test("nothing is read from the log for a stream of another person's session", .timeLimit(.minutes(1)))
    func shutOut() async throws {
        try await RunningConsole.with(isOpen: false) { console in
            _ = try await console.running.ask("s")
            let partition = try #require(console.running.session("s")).partition
            // The session began long ago, and only one of its results is known.
            let data = JSON.object([
                "session": "old", "sequence": .number(9), "request": "r",
                "principal": .object(["type": "app_user", "id": "ann"]),
            ])
            try console.running.pipeline.log.append(
                Record(
                    topic: console.running.pipeline.topics.results, partition: partition, key: Bytes("old".utf8),
                    value: data.bytes,
                    headers: [RecordHeader("ce_type", "intent.progressed.v1"), RecordHeader("ce_id", "x")]))
            try await console.running.until("the old session") { $0.session("old") != nil }
            // A reading from the log would fail now.
            try console.running.archive.close(timeout: .zero)
            let path = "/api/v1/sessions/old/events?last-event-id=\(partition):-1"
            #expect(try await console.call(.get, path, token: try await console.token("ann", ["person"])).status == 503)
            let shown = try await console.call(
                .get, path, token: try await console.token("bob", ["person"]), closing: true)
            #expect(shown.status == 200 && !shown.text.contains("id:"))
        }
    }
}
