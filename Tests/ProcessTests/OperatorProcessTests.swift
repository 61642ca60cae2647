import Foundation
import IntentModel
import Testing

@Suite("The tool in an operator's hands", .tags(.processes, .slow), .serialized)
struct OperatorProcessTests {
    @Test("lists, shows, ends and purges sessions; lists, shows, replays and drops dead letters")
    func operates() async throws {
        try await RunningPipeline.with { pipeline in
            try await sessions(pipeline)
            try await journal(pipeline)
            try await deadLetters(pipeline)
            try await others(pipeline)
        }
    }

    @Test(
        "examines a pipeline: what runs is fine, what the development broker can't tell is skipped, and no broker at all fails"
    )
    func doctor() async throws {
        try await RunningPipeline.with { pipeline in
            func statuses(_ options: [String] = []) async throws -> (code: Int32, found: [String: String]) {
                let ending = try await pipeline.intents(["doctor", "--output", "json"] + options)
                let found = ending.json.map { ($0["check"]?.string ?? "", $0["status"]?.string ?? "") }
                return (ending.status, Dictionary(found, uniquingKeysWith: { "\($0) and \($1)" }))
            }
            // Workers publish their intents a moment after they have joined.
            var (code, found) = try await statuses()
            let deadline = ContinuousClock.now.advanced(by: .seconds(60))
            while code != 0, ContinuousClock.now < deadline { (code, found) = try await statuses() }
            #expect(code == 0)
            let fine = [
                "brokers", "topics", "partitions", "reading", "coordinators", "journal", "workers", "clock",
                "dead letters",
            ]
            #expect(fine.allSatisfy { found[$0] == "ok" }, "\(found)")
            #expect(
                ["settings", "writing", "own group", "broker version"].allSatisfy { found[$0] == "skipped" }, "\(found)"
            )
            #expect(
                ["coordinator", "resolver", "confirmer", "handler"].allSatisfy { found["group intents.\($0)"] == "ok" },
                "\(found)")

            let handler = try await statuses(["--role", "handler"]).found
            #expect(
                handler["own group"] == "ok" && handler["journal"] == "skipped" && handler["dead letters"] == "skipped")
            let text = try await pipeline.intents(["doctor"])
            #expect(
                text.status == 0 && text.output.contains("ok\tcoordinators\tall 4 partitions have an owner"),
                "\(text.output)")
        }
        let alone = try await Programs.run(
            "intents", ["doctor", "--bootstrap-servers", "127.0.0.1:1", "--output", "json"])
        #expect(alone.status == 4 && alone.output.contains(#""check":"brokers","status":"failed""#), "\(alone)")
    }

    private func sessions(_ pipeline: RunningPipeline) async throws {
        let asked = try await pipeline.intents([
            "send", "RequestRide", "--session", "s1", "-p", "ride=Comfort", "--wait",
        ])
        #expect(asked.status == 3)
        let list = try await pipeline.intents(["session", "list", "--output", "json"])
        #expect(list.status == 0 && list.json.count == 1, "\(list.output)\(list.errors)")
        let session = try #require(list.json.first)
        #expect(session["session"]?.string == "s1" && session["stage"]?.string == "awaitingAnswer")
        #expect(session["intent"]?.string == "RequestRide" && session["waitsFor"]?.string == "the person: dropOff")
        #expect(try await pipeline.intents(["session", "list", "--stage", "handling"]).output.isEmpty)
        #expect(
            try await pipeline.intents(["session", "list", "--intent", "RequestRide"]).output.contains(
                "waits for the person: dropOff"))

        let shown = try await pipeline.intents(["session", "show", "s1", "--output", "json"])
        #expect(shown.status == 0, "\(shown.errors)")
        let types = shown.json.dropFirst().compactMap { $0["type"]?.string }
        #expect(types == ["intent.requested.v1", "intent.resolve.v1", "intent.resolved.v1", "prompt.issued.v1"])
        #expect(shown.json.first?["state"]?["active"]?["stage"]?.string == "awaitingAnswer")
        #expect(
            try await pipeline.intents(["session", "show", "s1", "--limit", "1"]).errors.contains(
                "3 older records were left out"))
        #expect(try await pipeline.intents(["session", "show", "nobody"]).status == 4)
        #expect(try await pipeline.intents(["session", "forget", "s1"]).status == 0)

        let ended = try await pipeline.intents(["session", "end", "s1", "--reason", "a test"])
        #expect(ended.status == 0 && ended.json.first?["ended"]?.bool == true, "\(ended.output)\(ended.errors)")
        #expect(try await pipeline.intents(["session", "list"]).output.isEmpty)
        let again = try await pipeline.intents(["session", "end", "s1"])
        #expect(again.status == 0 && again.errors.contains("not open"))
        let purged = try await pipeline.intents(["session", "purge", "s1", "--output", "json"])
        #expect(purged.status == 0 && purged.json.count == 12, "\(purged.output)\(purged.errors)")
        let results = try #require(purged.json.first { $0["topic"]?.string == "intents.results" })
        #expect(
            results["records"]?.int == 2 && results["goesWith"]?.string == "retention" && results["notBefore"] != nil)
        let journal = try #require(purged.json.first { $0["topic"]?.string == "intents.sessions" })
        #expect(journal["requestsKnownUntil"] != nil)
        let state = try await pipeline.intents(["session", "show", "s1", "--output", "json"]).json.first
        #expect(state?["stage"]?.string == "ended" && state?["requestsKnownUntil"] != nil)
        let last = try await pipeline.intents(["session", "show", "s1", "--output", "json"]).json.last
        #expect(last?["data"]?["error"]?["message"]?.string == "an operator ended the session: a test")
    }

    private func journal(_ pipeline: RunningPipeline) async throws {
        let checked = try await pipeline.intents(["journal", "check", "--output", "json"])
        #expect(checked.status == 0 && checked.json.count == 4, "\(checked.output)\(checked.errors)")
        #expect(
            checked.json.allSatisfy {
                $0["stopped"]?.bool == false && $0["partitionsThen"]?.int == 4 && $0["epoch"]?.int != 0
            })
        #expect(try await pipeline.intents(["journal", "check", "--partition", "2"]).output.hasPrefix("2\tgood\t"))
        #expect(try await pipeline.intents(["journal", "check", "--partition", "9"]).status == 4)
        #expect(
            try await pipeline.intents(["journal", "repair", "--partition", "0"]).errors.contains("has no problem"))
        let both = try await pipeline.intents([
            "journal", "repair", "--partition", "0", "--forget", "s", "--restore", "s",
        ])
        #expect(both.status == 2 && both.errors.contains("Give only one"))
        let dry = try await pipeline.intents(
            ["journal", "repair", "--partition", "0", "--outcomes-at", "beginning", "--force", "--dry-run"])
        #expect(dry.status == 0 && dry.json.first?["dryRun"]?.bool == true, "\(dry.errors)")
        // Nothing was written.
        let after = try await pipeline.intents(["journal", "check", "--partition", "0", "--output", "json"])
        #expect(after.json.first?["epoch"]?.int == checked.json.first?["epoch"]?.int)
    }

    private func deadLetters(_ pipeline: RunningPipeline) async throws {
        // The value is larger than an event may be.
        let large = String(repeating: "x", count: 70_000)
        _ = try await pipeline.intents([
            "send", "RequestRide", "--session", "s2", "--id", "large", "-p", "dropOff=\(large)",
        ])
        let first = try #require(try await letters(pipeline, 1).first)
        #expect(
            first["reason"]?.string == "complex" && first["id"]?.string == "large"
                && first["stage"]?.string == "coordinator")
        let place = try #require(first["letter"]?.string)
        let shown = try await pipeline.intents(["dead-letters", "show", place])
        #expect(
            shown.status == 0 && shown.output.contains("id\tlarge")
                && shown.output.contains("ce_type: intent.requested.v1"))

        let refused = try await pipeline.intents(["dead-letters", "replay", place])
        #expect(
            refused.status == 4 && refused.errors.contains("\(place): ") && refused.errors.contains("1 refused"),
            "\(refused.errors)")
        let forced = try await pipeline.intents(["dead-letters", "replay", place, "--force", "--by", "tester"])
        #expect(forced.status == 0 && forced.json.first?["replayed"]?.bool == true, "\(forced.errors)")
        let second = try #require(try await letters(pipeline, 2, ["--all"]).last)
        #expect(second["id"]?.string == "large" && second["letter"]?.string != place)
        #expect(try await letters(pipeline, 1).first?["letter"]?.string == second["letter"]?.string)
        #expect(try await pipeline.intents(["dead-letters", "replay", place]).errors.contains("by tester"))

        #expect(try await pipeline.intents(["dead-letters", "drop", "--all", "--reason", "busy"]).output.isEmpty)
        #expect(try await pipeline.intents(["dead-letters", "drop", "--all", "--reason", "complex"]).json.count == 1)
        #expect(try await pipeline.intents(["dead-letters", "list"]).output.isEmpty)
        let all = try await pipeline.intents(["dead-letters", "list", "--all", "--output", "json"]).json
        #expect(
            all.map { $0["replayed"] != nil } == [true, false] && all.map { $0["dropped"] != nil } == [false, true])
        #expect(try await pipeline.intents(["dead-letters", "show", "0/999"]).status == 4)
        #expect(try await pipeline.intents(["dead-letters", "show", "99/0"]).errors.contains("there are 4 partitions"))
    }

    private func others(_ pipeline: RunningPipeline) async throws {
        #expect(try await pipeline.intents(["handoff", "claim", "--session", "nobody", "h"]).status == 4)
        #expect(try await pipeline.intents(["updates", "start", "--session", "nobody", "r"]).status == 4)
        _ = try await pipeline.intents(["send", "RequestRide", "--session", "s3", "--wait"])
        let claimed = try await pipeline.intents(["handoff", "claim", "--session", "s3", "h"])
        let secret = claimed.output.trimmingPrefix("INTENTS_CLAIM_SECRET=")
        #expect(claimed.status == 0 && secret.utf8.count > 16, "\(claimed.output)\(claimed.errors)")
        let file = try Programs.temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(secret.utf8).write(to: file)
        let own = ["--session", "s3", "h", "--secret-file", file.path]
        #expect(try await pipeline.intents(["handoff", "complete", "-p", "a=1"] + own).status == 0)
        #expect(try await pipeline.intents(["handoff", "return"] + own).status == 0)
        let without = try await pipeline.intents(["handoff", "return", "--session", "s3", "h"])
        #expect(without.status == 2 && without.errors.contains("INTENTS_CLAIM_SECRET"), "\(without.errors)")
        #expect(try await pipeline.intents(["updates", "start", "--session", "s3", "r"]).status == 0)
        #expect(try await pipeline.intents(["updates", "stop", "--session", "s3", "r"]).status == 0)
        var rejected: [JSONView] = []
        let deadline = ContinuousClock.now.advanced(by: .seconds(30))
        while rejected.count < 4, ContinuousClock.now < deadline {
            let watched = try await pipeline.intents(
                ["watch", "--session", "s3", "--from-beginning", "--exit-at-end", "--output", "json"])
            rejected = watched.json.filter { $0["type"]?.string == "request.rejected.v1" }
        }
        #expect(rejected.map { $0["field"]?.string } == ["handoff", "handoff", "handoff", "request"])
    }

    /// Waits until this many dead letters are listed.
    private func letters(_ pipeline: RunningPipeline, _ count: Int, _ options: [String] = []) async throws -> [JSONView]
    {
        let deadline = ContinuousClock.now.advanced(by: .seconds(30))
        while ContinuousClock.now < deadline {
            let listed = try await pipeline.intents(["dead-letters", "list", "--output", "json"] + options).json
            if listed.count >= count { return listed }
        }
        throw TimedOut(description: "there are no \(count) dead letters")
    }
}
