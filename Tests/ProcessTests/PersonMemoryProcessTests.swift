import Foundation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite(
    "What is remembered about a person, by processes", .tags(.processes, .slow), .serialized, .timeLimit(.minutes(4)))
struct PersonMemoryProcessTests {
    private static let ann = ["--principal", "app_user:ann"]

    /// Asks for a ride in a new session, and answers the confirmation. Returns the output.
    private func ride(_ tool: Tool, _ options: [String] = ann, answer: String = "y") async throws -> String {
        let talk = try await tool.run(
            ["chat", "RequestRide", "-p", "dropOff=airport terminal 2", "-p", "ride=Comfort"] + options,
            input: "\(answer)\n")
        return "\(talk.output)\(talk.errors)"
    }

    private func remembered(_ tool: Tool) async throws -> [String] {
        let list = try await tool.run(["memory", "list", "--output", "json"] + Self.ann)
        return list.json.map { "\($0["key"]?.string ?? "") \($0["value"]?.string ?? "")" }
            .filter { $0.hasPrefix("payment ") }
    }

    private func untilRemembered(_ expected: [String], _ tool: Tool) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(30))
        while try await remembered(tool) != expected {
            guard ContinuousClock.now < deadline else { throw TimedOut(description: "'\(expected)' is not remembered") }
        }
    }

    @Test(
        "it is the default in their next session, also after a crash of the coordinator, until they have it forgotten",
        arguments: [false, true])
    func sessions(isEncrypted: Bool) async throws {
        let file = try Programs.temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("\(String(repeating: "0a", count: 32))\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let keys = isEncrypted ? ["--encryption-key-file", file.path] : []
        try await RunningPipeline.with(["--partitions", "2"] + keys) { pipeline in
            let tool = Tool(pipeline: pipeline, keys: keys)
            #expect(try await ride(tool).contains("Payment: Card\n"), "a default is told without a reason")
            #expect(try await ride(tool, Self.ann + ["-p", "payment=cash"]).contains("Payment: Cash\n"))
            try await untilRemembered(["payment cash"], tool)
            let first = try #require(pipeline.children("intent-coordinator").first)
            kill(first, SIGKILL)
            try await eventually("another coordinator runs") {
                pipeline.children("intent-coordinator").contains { $0 != first }
            }
            #expect(try await ride(tool).contains("Payment: Cash (as last time)\n"))
            #expect(
                try await ride(tool, Self.ann + ["--locale", "nl"], answer: "n").contains("(zoals de vorige keer)"))
            #expect(try await ride(tool, ["--principal", "app_user:bob"], answer: "n").contains("Payment: Card\n"))
            let log = try RawLog(pipeline.servers)
            defer { log.close() }
            let values = try await log.records(Topics().memory, partitions: 2).map {
                String(decoding: $0.value ?? [], as: UTF8.self)
            }
            #expect(values.contains { $0.contains("cash") } != isEncrypted)

            let status = try await tool.run(["send", "GetRideStatus", "--wait"] + Self.ann)
            #expect(
                status.json.last?["parameters"]?["rideIdentifier"]?.string?.hasPrefix("DUB-") == true,
                "\(status.output)")
            #expect(try await tool.run(["memory", "forget", "payment"] + Self.ann).output == "payment\n")
            try await untilRemembered([], tool)
            #expect(try await ride(tool, answer: "n").contains("Payment: Card\n"))
        }
    }
}

/// The tool with the keys of a pipeline.
private struct Tool {
    let pipeline: RunningPipeline
    let keys: [String]

    func run(_ arguments: [String], input: String = "") async throws -> Programs.Ending {
        try await pipeline.intents(arguments + keys, input: input)
    }
}
