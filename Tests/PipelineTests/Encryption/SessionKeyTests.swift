import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@testable import RecordEncryption

@Suite("Keys of new sessions")
struct SessionKeyTests {
    /// A pipeline that has one open session and no spare keys.
    private func pipeline(_ prepare: (EncryptedPipeline) -> Void) async throws -> EncryptedPipeline {
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.startAll()
        try await encrypted.settle()
        try encrypted.request("r", session: "open", to: nil)
        try await encrypted.settle()
        prepare(encrypted)
        for number in 1...64 { try encrypted.request("r", session: "used\(number)", to: nil) }
        try await encrypted.settle()
        return encrypted
    }

    /// Checks that an open session continues, and that a new one is rejected as busy.
    ///
    /// - Parameter end: Ends the fault before the results are read, because a reader needs the keys too.
    private func expectOpenOnesGoOn(_ encrypted: EncryptedPipeline, before end: () -> Void = {}) async throws {
        let before = encrypted.pipeline.log.records(in: encrypted.topics.results).count { $0.key == Array("open".utf8) }
        try encrypted.request("late", session: "new")
        try await encrypted.settle()
        encrypted.time.advance(by: EncryptingClient.patience)
        try await encrypted.settle()
        try encrypted.request("next", session: "open")
        try await encrypted.settle()
        let written = encrypted.pipeline.log.records(in: encrypted.topics.results).count
        end()
        let results = try encrypted.results(session: "new")
        #expect(results.count == 1)
        #expect(results.last?.type == .rejected && results.last?.data["reason"]?.string == "busy")
        #expect(encrypted.pipeline.log.records(in: encrypted.topics.results).count == written)
        #expect(
            encrypted.pipeline.log.records(in: encrypted.topics.results).count { $0.key == Array("open".utf8) } > before
        )
    }

    @Test("a coordinator whose keys are refused goes on: open sessions too, and new ones are told that it is busy")
    func refused() async throws {
        let encrypted = try await pipeline { encrypted in
            encrypted.pipeline.log.refuseRecords(
                .max, in: encrypted.topics.keys, with: LogError(.unauthorized, "no right"))
        }
        try await expectOpenOnesGoOn(encrypted)
        let counters = try #require(encrypted.pipeline.coordinators["coordinator"]?.counters)
        #expect(counters.refusedRecords.keys.map(\.topic) == [encrypted.topics.keys])
        encrypted.pipeline.log.clearFaults()
        encrypted.time.advance(by: EncryptingClient.refusalDelay)
        try await encrypted.settle()
        try encrypted.request("r", session: "later", to: nil)
        try await encrypted.settle()
        #expect(try encrypted.results(session: "later").last?.prompt != nil)
    }

    @Test(
        "a partition of the keys without a leader holds back new sessions for 5 s, then tells them that it is busy, and no open one"
    )
    func leaderless() async throws {
        let encrypted = try await pipeline { $0.pipeline.log.setLeaders(of: $0.topics.keys, areAway: true) }
        try await expectOpenOnesGoOn(encrypted) {
            encrypted.pipeline.log.setLeaders(of: encrypted.topics.keys, areAway: false)
        }
        try await encrypted.settle()
        try encrypted.request("r", session: "later", to: nil)
        try await encrypted.settle()
        #expect(try encrypted.results(session: "later").last?.prompt != nil)
    }
}
