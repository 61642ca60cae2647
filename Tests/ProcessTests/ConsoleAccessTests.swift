import AsyncHTTPClient
import Foundation
import IntentEvents
import IntentModel
import NIOCore
import NIOHTTP1
import RecordLog
import Testing

/// Runs on a Kafka with authentication and ACLs: see ``SecuredKafka``.
@Suite(
    "Consoles with their own rights alone", .tags(.processes, .slow), .serialized, .timeLimit(.minutes(10)),
    .enabled(if: SecuredKafka.isThere, "KAFKA_SASL_BOOTSTRAP_SERVERS and KAFKA_SASL_FOLDER name no Kafka with ACLs"))
struct ConsoleAccessTests {
    @Test("the role console shows the pipeline, asks and answers for a person, and deals with dead letters")
    func console() async throws {
        try await Self.withConsole(as: "console") { kafka, console in
            try await Self.ride("c1", console)
            #expect(try await AccessProbe(log: try kafka.log("agent")).mayWrite(kafka.topics.requests))
            var letter: String?
            try await until("what can't be read is shown as a dead letter") {
                letter = try await console.get("inbox")["deadLetters"]?.elements.first?["position"]?.string
                return letter != nil
            }
            let position = try #require(letter)
            let replayed = try await console.post("dead-letters/\(position)/replay", "{}")
            #expect(replayed == 400, "it can't be read today either")
            #expect(try await console.post("dead-letters/\(position)/drop", "{}") == 202)
            try await until("nothing is left to deal with") {
                try await console.get("overview")["deadLetters"]?.int == 0
            }
        }
    }

    @Test("with --results-only the role person is enough: it shows results, asks and answers, and has no dead letters")
    func resultsOnly() async throws {
        try await Self.withConsole(as: "person", ["--results-only"]) { kafka, console in
            try await Self.ride("p1", console)
            #expect(try await AccessProbe(log: try kafka.log("agent")).mayWrite(kafka.topics.requests))
            let letters = AccessProbe(log: try kafka.log("operator"))
            try await until("there is a dead letter") { try await !letters.records(kafka.topics.deadLetters).isEmpty }
            let letter = try #require(try await letters.records(kafka.topics.deadLetters).first)
            // A reader that was refused once is refused again.
            for _ in 0..<2 {
                #expect(try await console.post("dead-letters/\(letter.partition):\(letter.offset)/drop", "{}") == 403)
            }
            #expect(try await console.get("inbox")["deadLetters"]?.elements.isEmpty == true)
        }
    }

    /// Asks for a ride and agrees to it, as the page does.
    private static func ride(_ session: String, _ console: ConsoleCalls) async throws {
        let body =
            #"{"session":"\#(session)","intent":"RequestRide","parameters":{"dropOff":"Heuston","ride":"Comfort"}}"#
        #expect(try await console.post("requests", body) == 202)
        var prompt: String?
        try await until("the person is asked") {
            prompt = try await console.get("sessions/\(session)")["prompt"]?["prompt"]?.string
            return prompt != nil
        }
        let answer = #"{"prompt":"\#(try #require(prompt))","action":"accept"}"#
        #expect(try await console.post("sessions/\(session)/answers", answer) == 202)
        try await until("the ride is ordered") {
            try await console.get("sessions/\(session)")["requests"]?.elements.first?["status"]?.string == "success"
        }
        let overview = try await console.get("overview")
        #expect(overview["completions"]?["success"]?.int == 1, "\(overview.json)")
    }

    /// Calls `body` with a console that has the rights of a role. The pipeline's coordinators run with
    /// `--trust separate`.
    private static func withConsole(
        as role: String, _ options: [String] = [], _ body: (SecuredKafka, ConsoleCalls) async throws -> Void
    ) async throws {
        try await SecuredKafka.with { kafka in
            var processes: [RoleProcess] = []
            defer { for process in processes { process.end() } }
            processes.append(
                try RoleProcess(
                    "intent-coordinator", ["--trust", "separate", "--open-handoffs"] + kafka.options("coordinator")))
            for (role, phase) in [("resolver", "resolve"), ("confirmer", "confirm"), ("handler", "handle")] {
                processes.append(try RoleProcess("sample-worker", ["--phase", phase] + kafka.options(role)))
            }
            let console = try RoleProcess(
                "intents-console", ["--listen", "127.0.0.1:0"] + options + kafka.options(role))
            processes.append(console)
            var url: String?
            try await eventually("the console tells its address") {
                let lines = console.output.split(separator: "\n").compactMap { try? JSONView(parsing: Array($0.utf8)) }
                url = lines.first?["console"]?.string
                return url != nil || !console.isRunning
            }
            let calls = ConsoleCalls(url: try #require(url, "\(console.errors)"))
            try await until("the console serves") { try await calls.get("overview")["topics"] != nil }
            try await body(kafka, calls)
            for process in processes { #expect(process.isRunning, "\(process.name): \(process.errors)") }
            #expect(!console.errors.contains("AUTHORIZATION_FAILED"), "\(console.errors)")
        }
    }
}

/// Calls a console on this machine.
private struct ConsoleCalls {
    let url: String

    func get(_ path: String) async throws -> JSONView {
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: "\(url)/api/v1/\(path)"), timeout: .seconds(30))
        return try JSONView(
            parsing: Array((try await response.body.collect(upTo: 1 << 22)).readableBytesView), limits: .journal)
    }

    func post(_ path: String, _ body: String) async throws -> Int {
        var request = HTTPClientRequest(url: "\(url)/api/v1/\(path)")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: body))
        return Int(try await HTTPClient.shared.execute(request, timeout: .seconds(30)).status.code)
    }
}
