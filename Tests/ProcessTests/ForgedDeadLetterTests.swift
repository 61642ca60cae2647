import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("Dead letters that may be forged, in an operator's hands", .tags(.processes, .slow), .serialized)
struct ForgedDeadLetterTests {
    private let topics = Topics()

    @Test("a dead letter is replayed only if the record at the place that it names is the one that it holds")
    func forged() async throws {
        try await RunningPipeline.with { pipeline in
            let log = try RawLog(pipeline.servers)
            defer { log.close() }
            let sent = try await pipeline.intents([
                "send", "RequestRide", "--session", "s1", "--id", "said", "-p", "ride=Comfort",
            ])
            #expect(sent.status == 0, "\(sent.errors)")
            let original = try #require(try await log.records(topics.requests, partitions: 4).first)
            var changed = original
            changed.value = Array(#"{"intent":"SendPayment"}"#.utf8)
            var gone = changed
            gone.offset = original.offset + 1_000
            var elsewhere = changed
            elsewhere.partition = 99
            var work = original
            work.topic = topics.handle
            let letters = [original, changed, gone, elsewhere, work]
            var places: [String] = []
            for letter in letters {
                let record = DeadLetter.record(
                    letter, Rejection(.deprecated, "so it says"), stage: "resolver", topics: topics)
                var written = record
                written.partition = original.partition
                let offset = try #require(try await log.write(written).offset)
                places.append("\(original.partition)/\(offset)")
            }

            // The original record is recognised as a repeat. No other record is written.
            let all = try await pipeline.intents(["dead-letters", "replay", "--all"])
            #expect(
                all.status == 4 && all.json.compactMap { $0["letter"]?.string } == [places[0]],
                "\(all.output)\(all.errors)")
            let reasons = [
                "\(places[1]): intents.requests \(original.partition)/\(original.offset) holds another record",
                "\(places[2]): there is no record at intents.requests \(original.partition)/\(gone.offset) any more",
                "\(places[3]): it names intents.requests 99/\(original.offset), and there are 4 partitions",
                "\(places[4]): only the coordinator dispatches work",
            ]
            for reason in reasons { #expect(all.errors.contains(reason), "\(all.errors)") }
            #expect(all.errors.contains("1 replayed, 4 refused"))
            #expect(try await log.records(topics.requests, partitions: 4).count == 2)

            for arguments in [["--all"], [places[1], places[2]]] {
                let several = try await pipeline.intents(["dead-letters", "replay", "--force"] + arguments)
                #expect(several.status == 2 && several.errors.contains("--force takes one letter"), "\(several.errors)")
            }
            for place in [places[3], places[4]] {
                #expect(try await pipeline.intents(["dead-letters", "replay", place, "--force"]).status == 4)
            }
            #expect(try await log.records(topics.requests, partitions: 4).count == 2)

            // An operator who has examined the letter may force its replay.
            let forced = try await pipeline.intents(["dead-letters", "replay", places[2], "--force"])
            #expect(forced.status == 0, "\(forced.errors)")
            #expect(try await log.records(topics.requests, partitions: 4).last?.value == gone.value)
            #expect(try await pipeline.intents(["dead-letters", "drop", "--all"]).json.count == 3)
        }
    }
}
