import Conversation
import Foundation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("The tool in an operator's hands", .tags(.processes, .slow), .serialized) struct OperatorProcessTests {
    @Test func `examines the pipeline, and manages its sessions, journals, dead letters and handoffs`() async throws {
        try await RunningPipeline.with { pipeline in
            try await doctor(pipeline)
            try await sessions(pipeline)
            try await journal(pipeline)
            try await deadLetters(pipeline)
            try await others(pipeline)
        }
    }

    /// Checks that a running pipeline passes, that unknown facts are skipped, and that no broker at all fails.
    private func doctor(_ pipeline: RunningPipeline) async throws {
        func statuses(_ options: String = "") async throws -> (code: Int32, found: [String: String]) {
            let ending = try await pipeline.intents("doctor --output json \(options)", exits: nil)
            let found = ending.json.map { ($0["check"]?.string ?? "", $0["status"]?.string ?? "") }
            return (ending.status, Dictionary(found, uniquingKeysWith: { "\($0) and \($1)" }))
        }
        // Workers publish their intents a moment after they have joined.
        let all = try await found("all checks succeed") {
            let (code, all) = try await statuses()
            return code == 0 ? all : nil
        }
        for check in [
            "brokers", "topics", "partitions", "reading", "coordinators", "journal", "workers", "clock", "dead letters",
            "group intents.coordinator", "group intents.resolver", "group intents.confirmer", "group intents.handler",
        ] { #expect(all[check] == "ok", "\(check)") }
        for check in ["settings", "writing", "own group", "broker version"] {
            #expect(all[check] == "skipped", "\(check)")
        }
        let handler = try await statuses("--role handler").found
        #expect(["own group", "journal", "dead letters"].map { handler[$0] } == ["ok", "skipped", "skipped"])
        try await pipeline.intents("doctor", prints: "ok\tcoordinators\tcoordinator ")
        let alone = try await Programs.run("intents doctor --bootstrap-servers 127.0.0.1:1 --output json", exits: 1)
        #expect(alone.output.contains(#""check":"brokers","status":"failed""#), "\(alone)")
    }

    private func sessions(_ pipeline: RunningPipeline) async throws {
        try await pipeline.intents("send RequestRide --session s1 -p ride=Comfort --wait", exits: 3)
        let list = try await pipeline.intents("session list --output json")
        #expect(list.json.count == 1, "\(list.output)")
        let values = ["session", "stage", "intent", "waitsFor"].map { list.json.first?[$0]?.string }
        #expect(values == ["s1", "awaitingAnswer", "RequestRide", "the person: dropOff"])
        #expect(try await pipeline.intents("session list --stage handling").output.isEmpty)
        try await pipeline.intents("session list --intent RequestRide", prints: "\tthe person: dropOff\t")

        let shown = try await pipeline.intents("session show s1 --output json").json
        let types = ["intent.requested", "intent.resolve", "intent.resolved", "prompt.issued"].map { "\($0).v1" }
        #expect(shown.dropFirst().compactMap { $0["type"]?.string } == types)
        #expect(shown.first?["state"]?["active"]?["stage"]?.string == "awaitingAnswer")
        try await pipeline.intents("session show s1 --limit 1", warns: "3 older records were left out")
        let told = try await pipeline.intents("session show s1").output
        #expect(told.contains("RequestRide, ride Comfort") && told.contains("? Where are you going?"), "\(told)")
        #expect(!told.contains("intent.resolve.v1") && !told.contains("{"))
        try await pipeline.intents("session show s1 --records", prints: "intent.resolve.v1")
        try await pipeline.intents("session show nobody", exits: 4)
        try await pipeline.intents("session forget s1")

        let ended = try await pipeline.intents("session end s1 --reason", ["a test"])
        #expect(ended.json.first?["ended"]?.bool == true, "\(ended.all)")
        #expect(try await pipeline.intents("session list").output.isEmpty)
        #expect(try await pipeline.intents("session end s1").errors.contains("not open"))
        let purged = try await pipeline.intents("session purge s1 --output json")
        #expect(purged.json.count == 12, "\(purged.all)")
        func purge(of topic: String) throws -> JSONView {
            try #require(purged.json.first { $0["topic"]?.string == topic })
        }
        let results = try purge(of: "intents.results")
        #expect(results["records"]?.int == 2 && results["goesWith"]?.string == "retention")
        #expect(try results["notBefore"] != nil && purge(of: "intents.sessions")["requestsKnownUntil"] != nil)
        let after = try await pipeline.intents("session show s1 --output json").json
        #expect(after.first?["stage"]?.string == "ended" && after.first?["requestsKnownUntil"] != nil)
        #expect(after.last?["data"]?["error"]?["message"]?.string == "an operator ended the session: a test")
    }

    private func journal(_ pipeline: RunningPipeline) async throws {
        let checked = try await pipeline.intents("journal check --output json")
        #expect(checked.json.count == 4, "\(checked.all)")
        for partition in checked.json {
            #expect(partition["stopped"]?.bool == false && partition["partitionsThen"]?.int == 4)
            #expect(partition["epoch"]?.int != 0)
        }
        #expect(try await pipeline.intents("journal check --partition 2").output.hasPrefix("2\tgood\t"))
        try await pipeline.intents("journal check --partition 9", exits: 4)
        try await pipeline.intents("journal repair --partition 0", exits: nil, warns: "has no problem")
        let both = "journal repair --partition 0 --forget s --restore s"
        try await pipeline.intents(both, exits: 2, warns: "Give only one of --forget, --restore")
        let dry = try await pipeline.intents("journal repair --partition 0 --outcomes-at beginning --force --dry-run")
        #expect(dry.json.first?["dryRun"]?.bool == true, "\(dry.all)")
        // Nothing was written.
        let after = try await pipeline.intents("journal check --partition 0 --output json")
        #expect(after.json.first?["epoch"]?.int == checked.json.first?["epoch"]?.int)
    }

    private func deadLetters(_ pipeline: RunningPipeline) async throws {
        func letters(_ count: Int, _ options: String = "") async throws -> [JSONView] {
            try await found("\(count) dead letters", within: 30) {
                let listed = try await pipeline.intents("dead-letters list --output json \(options)").json
                return listed.count >= count ? listed : nil
            }
        }
        // The value is larger than an event may be.
        let large = "dropOff=\(String(repeating: "x", count: 70_000))"
        try await pipeline.intents("send RequestRide --session s2 --id large -p \(large)", exits: nil)
        let first = try #require(try await letters(1).first)
        #expect(["reason", "id", "stage"].map { first[$0]?.string } == ["complex", "large", "coordinator"])
        let place = try #require(first["letter"]?.string)
        let shown = try await pipeline.intents("dead-letters show \(place)").output
        #expect(shown.contains("id\tlarge") && shown.contains("ce_type: intent.requested.v1"))

        let refused = try await pipeline.intents("dead-letters replay \(place)", exits: 4).errors
        #expect(refused.contains("\(place): ") && refused.contains("1 refused"), "\(refused)")
        let forced = try await pipeline.intents("dead-letters replay \(place) --force --by tester")
        #expect(forced.json.first?["replayed"]?.bool == true, "\(forced.errors)")
        let second = try #require(try await letters(2, "--all").last)
        #expect(second["id"]?.string == "large" && second["letter"]?.string != place)
        #expect(try await letters(1).first?["letter"]?.string == second["letter"]?.string)
        try await pipeline.intents("dead-letters replay \(place)", exits: nil, warns: "by tester")

        #expect(try await pipeline.intents("dead-letters drop --all --reason busy", exits: nil).output.isEmpty)
        #expect(try await pipeline.intents("dead-letters drop --all --reason complex").json.count == 1)
        #expect(try await pipeline.intents("dead-letters list").output.isEmpty)
        let all = try await pipeline.intents("dead-letters list --all --output json").json
        #expect(all.map { [$0["replayed"] != nil, $0["dropped"] != nil] } == [[true, false], [false, true]])
        try await pipeline.intents("dead-letters show 0/999", exits: 4)
        try await pipeline.intents("dead-letters show 99/0", exits: nil, warns: "there are 4 partitions")
    }

    private func others(_ pipeline: RunningPipeline) async throws {
        try await pipeline.intents("handoff claim --session nobody h", exits: 4)
        try await pipeline.intents("updates start --session nobody r", exits: 4)
        try await pipeline.intents("send RequestRide --session s3 --wait", exits: nil)
        let claimed = try await pipeline.intents("handoff claim --session s3 h", exits: 4, warns: "is not open")
        #expect(claimed.output.isEmpty, "a secret without a claim: \(claimed.all)")
        let own = "--session s3 h --secret-file \(try Scratch().file("secret", "of sixteen bytes or more"))"
        try await pipeline.intents("handoff complete -p a=1 \(own)", exits: 4, warns: "is not open")
        try await pipeline.intents("handoff return \(own)", exits: 4, warns: "is not open")
        try await pipeline.intents("handoff return --session s3 h", exits: 2, warns: "INTENTS_CLAIM_SECRET")
        let offered = try await pipeline.intents(
            "send RequestRide --session s4 -p dropOff=Heuston -p payment=businessAccount -p ride=Comfort --wait",
            exits: nil)
        let handoffs = offered.json.compactMap { $0["handoff"]?.string }
        let handoff = try #require(handoffs.first, "no handoff: \(offered.all)")
        let claim = try await pipeline.intents("handoff claim --session s4 \(handoff)").output
        let file = try Scratch().file("claim", String(claim.trimmingPrefix("INTENTS_CLAIM_SECRET=")))
        let theirs = "--session s4 \(handoff) --secret-file \(file)"
        try await pipeline.intents("handoff return \(theirs)")
        try await pipeline.intents("handoff claim \(theirs)")
        try await pipeline.intents("handoff complete \(theirs)")
        #expect(try await pipeline.results(of: "s4").contains { $0["type"]?.string == "handoff.completed.v1" })
        try await pipeline.intents("updates start --session s3 r")
        try await pipeline.intents("updates stop --session s3 r")
        let rejected = try await found("four rejections") {
            let rejected = try await pipeline.results(of: "s3").filter { $0["type"]?.string == "request.rejected.v1" }
            return rejected.count >= 4 ? rejected : nil
        }
        #expect(rejected.map { $0["field"]?.string } == ["handoff", "handoff", "handoff", "request"])
    }
}

@Suite("Dead letters that may be forged, in an operator's hands", .tags(.processes, .slow), .serialized)
struct ForgedDeadLetterTests {
    private let topics = Topics()

    @Test func `a dead letter is replayed only if the log has its record at its position`() async throws {
        try await RunningPipeline.with { pipeline in
            let log = try RawLog(pipeline.servers)
            defer { log.close() }
            try await pipeline.intents("send RequestRide --session s1 --id said -p ride=Comfort")
            let original = try #require(try await log.records(topics.requests).first)
            func forged(_ change: (inout ConsumedRecord) -> Void) -> ConsumedRecord {
                var record = original
                record.value = Array(#"{"intent":"SendPayment"}"#.utf8)
                change(&record)
                return record
            }
            let gone = forged { $0.offset += 1_000 }
            let work = forged { ($0.topic, $0.value) = (topics.handle, original.value) }
            var places: [String] = []
            for letter in [original, forged { _ in }, gone, forged { $0.partition = 99 }, work] {
                var record = DeadLetter.record(letter, Rejection(.deprecated, "old"), stage: "resolver", topics: topics)
                record.partition = original.partition
                places.append("\(original.partition)/\(try #require(try await log.write(record).offset))")
            }

            // The original record is recognised as a repeat. No other record is written.
            let all = try await pipeline.intents("dead-letters replay --all", exits: 4)
            #expect(all.json.compactMap { $0["letter"]?.string } == [places[0]], "\(all.all)")
            for reason in [
                "\(places[1]): intents.requests \(original.partition)/\(original.offset) holds another record",
                "\(places[2]): there is no record at intents.requests \(original.partition)/\(gone.offset) any more",
                "\(places[3]): it names intents.requests 99/\(original.offset), and there are 4 partitions",
                "\(places[4]): only the coordinator dispatches work", "1 replayed, 4 refused",
            ] { #expect(all.errors.contains(reason), "\(all.errors)") }
            #expect(try await log.records(topics.requests).count == 2)

            let two = "dead-letters replay --force \(places[1]) \(places[2])"
            try await pipeline.intents(two, exits: 2, warns: "--force takes one letter")
            for place in places[3...] { try await pipeline.intents("dead-letters replay \(place) --force", exits: 4) }
            #expect(try await log.records(topics.requests).count == 2)

            // An operator who has examined the letter may force its replay.
            try await pipeline.intents("dead-letters replay \(places[2]) --force")
            #expect(try await log.records(topics.requests).last?.value == gone.value)
            #expect(try await pipeline.intents("dead-letters drop --all").json.count == 3)
        }
    }
}
