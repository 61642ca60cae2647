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
            let path = "/api/v1/sessions/s/events?last-event-id=\(event.position.partition):\(event.position.offset - 1)"
            let answer = Task { [client = console.client] in try await client.execute(uri: path, method: .get, headers: [:], body: nil) }
            let deadline = ContinuousClock.now.advanced(by: .seconds(30))
            while gateway.load.readers == 0, ContinuousClock.now < deadline { await Task.yield() }
            // The gateway has it on the board already, so that the reader has it too; now it tells those who follow.
            gateway.tell([event])
            try console.running.close()
            let text = String(buffer: try await answer.value.body)
            #expect(text.components(separatedBy: "id: \(event.position)\n").count == 2)
        }
    }
}
