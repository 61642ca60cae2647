import Foundation
import IntentModel
import Testing

@Suite("A pipeline of real processes", .tags(.processes, .slow), .serialized)
struct PipelineProcessTests {
    /// Runs `intents play`, which exits with 0 only if every request got exactly one completion and no sequence has a
    /// gap.
    private func play(_ pipeline: RunningPipeline, copies: Int, _ during: () async throws -> Void = {}) async throws
        -> Programs.Ending
    {
        let lines = try String(contentsOfFile: Programs.rideRequests, encoding: .utf8).split(separator: "\n")
        var input = ""
        for copy in 0..<copies {
            for line in lines {
                input += line.replacing("\"session\":\"", with: "\"session\":\"\(copy)-", maxReplacements: 1) + "\n"
            }
        }
        let requests = input
        async let played = pipeline.intents(["play", "-", "--quiet", "--timeout", "60"], input: requests, timeout: 150)
        try await during()
        return try await played
    }

    @Test("serves ride requests with exactly one completion each, and ends with its parent process")
    func serves() async throws {
        try await RunningPipeline.with(["--resolvers", "2", "--confirmers", "2", "--handlers", "2"]) { pipeline in
            let ending = try await play(pipeline, copies: 1)
            #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
            #expect(ending.output.contains("completed once        448"))

            let children = pipeline.children()
            #expect(children.count == 9)
            pipeline.signal(SIGKILL)
            try await eventually("the children end when their parent was killed", within: 30) {
                children.allSatisfy { kill($0, 0) != 0 }
            }
        }
    }

    @Test("is found at its usual port by commands that name no Kafka")
    func found() async throws {
        try await RunningPipeline.with(["--port", "8232", "--topic-prefix", "found"]) { pipeline in
            // Another program may listen on the port, such as another pipeline of this machine's user.
            guard pipeline.servers == "127.0.0.1:8232" else { try Test.cancel("port 8232 is taken") }
            var environment = Programs.environment
            environment["KAFKA_BOOTSTRAP_SERVERS"] = nil
            let listed = try await Programs.run(
                Programs.url("intents"), ["catalog", "list", "--topic-prefix", "found"], environment: environment)
            #expect(listed.status == 0, "\(listed.errors)")
            #expect(listed.output.contains("RequestRide"))
        }
    }

    @Test("can be used with the tool to request, answer, show and cancel")
    func tool() async throws {
        try await RunningPipeline.with { pipeline in
            let needsInput = try await pipeline.intents([
                "send", "RequestRide", "--session", "s1", "-p", "ride=Comfort", "--wait",
            ])
            #expect(needsInput.status == 3)
            #expect(needsInput.json.last?["parameter"]?.string == "dropOff")
            #expect(try await pipeline.intents(["reply", "--session", "s1", "Heuston"]).status == 0)
            #expect(try await pipeline.intents(["reply", "--session", "nobody", "--yes"]).status == 4)
            try await untilPrompt(pipeline, session: "s1", kind: "confirmIntent")
            #expect(try await pipeline.intents(["reply", "--session", "s1", "--yes"]).status == 0)
            try await untilCompleted(pipeline, session: "s1", status: "success")

            let chat = try await pipeline.intents(
                ["chat", "RequestRide", "--session", "s2"], input: "station\n1\n2\ny\n")
            #expect(chat.status == 0, "\(chat.output)")
            #expect(chat.output.contains("1. Heuston Station"))
            let declined = try await pipeline.intents(
                ["chat", "RequestRide", "-p", "dropOff=Heuston", "-p", "ride=Comfort"], input: "n\n")
            #expect(declined.status == 4)
            let silent = try await pipeline.intents(["chat", "RequestRide"], input: "")
            #expect(silent.status == 4)

            let status = try await pipeline.intents([
                "send", "GetRideStatus", "-p", "rideIdentifier=DUB-BFQB23-3", "--wait",
            ])
            #expect(status.status == 0)
            let unknown = try await pipeline.intents(["send", "Dance", "--wait"])
            #expect(unknown.status == 4)
            #expect(unknown.json.last?["code"]?.string == "noHandlerProvidedForIntent")

            _ = try await pipeline.intents(["send", "RequestRide", "--session", "s3"])
            try await untilPrompt(pipeline, session: "s3", kind: "value")
            #expect(try await pipeline.intents(["cancel", "--session", "s3"]).status == 0)
            try await untilCompleted(pipeline, session: "s3", status: "cancelled")
        }
    }

    @Test(
        "can be used with kcat alone: a ride is requested, a prompt answered and the completion read",
        .enabled(if: Programs.kcat != nil, "kcat is not installed"))
    func kcat() async throws {
        let kcat = URL(fileURLWithPath: try #require(Programs.kcat))
        try await RunningPipeline.with { pipeline in
            func produce(_ json: String) async throws {
                let ending = try await Programs.run(
                    kcat,
                    [
                        "-b", pipeline.servers, "-t", "intents.requests", "-P", "-K", ":", "-X",
                        "topic.partitioner=murmur2_random",
                    ],
                    input: "me:\(json)\n")
                #expect(ending.status == 0)
            }
            func results() async throws -> [JSONView] {
                try await Programs.run(
                    kcat, ["-b", pipeline.servers, "-t", "intents.results", "-C", "-o", "beginning", "-e", "-q"]
                ).json
            }
            func next(_ count: Int) async throws -> JSONView {
                let deadline = ContinuousClock.now.advanced(by: .seconds(30))
                while ContinuousClock.now < deadline {
                    let results = try await results()
                    if results.count >= count { return results[count - 1] }
                }
                throw TimedOut(description: "no result \(count)")
            }
            try await produce(#"{"intent":"RequestRide","parameters":{"dropOff":"Airport","ride":"Comfort"}}"#)
            let choice = try await next(1)
            #expect(choice["kind"]?.string == "choice")
            let prompt = try #require(choice["prompt"]?.string)
            let option = try #require(choice["options"]?.elements.first?["id"]?.string)
            try await produce(
                #"{"type":"prompt.answered.v1","prompt":"\#(prompt)","action":"accept","option":"\#(option)"}"#)
            let confirmation = try await next(2)
            #expect(confirmation["kind"]?.string == "confirmIntent")
            let second = try #require(confirmation["prompt"]?.string)
            try await produce(#"{"type":"prompt.answered.v1","prompt":"\#(second)","action":"accept"}"#)
            let completion = try await next(3)
            #expect(completion["status"]?.string == "success")
            #expect(completion["sequence"]?.int == 3)
        }
    }

    @Test("loses and repeats nothing while processes of every role are killed and others join")
    func chaos() async throws {
        try await RunningPipeline.with(["--resolvers", "2", "--handlers", "2"]) { pipeline in
            let ending = try await play(pipeline, copies: 8) {
                for (program, phase) in [
                    ("sample-worker", ["handle"]), ("intent-coordinator", []), ("sample-worker", ["resolve"]),
                    ("sample-worker", ["confirm"]),
                ] {
                    if let pid = pipeline.children(program, arguments: phase).first { kill(pid, SIGKILL) }
                    try await eventually("\(program) \(phase) is started again", within: 30) {
                        pipeline.log.contains("ended (status")
                    }
                }
                let handler = Process()
                handler.executableURL = Programs.url("sample-worker")
                handler.arguments = [
                    "--phase", "handle", "-b", pipeline.servers, "-X", "session.timeout.ms=6000",
                ]
                let output = Pipe()
                handler.standardOutput = output
                handler.standardError = FileHandle.nullDevice
                try handler.run()
                let lines = LineBox()
                output.fileHandleForReading.readabilityHandler = { handle in
                    let data = handle.availableData
                    if data.isEmpty { handle.readabilityHandler = nil } else { lines.add(data) }
                }
                try await eventually("a handler that joins takes partitions") {
                    lines.text.range(of: #"partitions":\[[0-9]"#, options: .regularExpression) != nil
                }
                handler.terminate()
                try await eventually("SIGTERM ends it") { !handler.isRunning }
                #expect(handler.terminationStatus == 0)
            }
            #expect(ending.status == 0, "\(ending.output)\(ending.errors)\(pipeline.log)")
            #expect(ending.output.contains("completed once        3584"))
            #expect(ending.output.contains("identical copies      0"))
        }
    }

    @Test("a coordinator that was stopped while another took over makes no decisions when it continues")
    func zombie() async throws {
        try await RunningPipeline.with(["--coordinators", "2"]) { pipeline in
            let ending = try await play(pipeline, copies: 12) {
                let stopped = try #require(pipeline.children("intent-coordinator").first)
                let before = pipeline.log.count
                kill(stopped, SIGSTOP)
                try await eventually("the other coordinator has all partitions", within: 60) {
                    pipeline.log.dropFirst(before).range(
                        of: #"coordinator-\d has partitions 0 1 2 3"#, options: .regularExpression) != nil
                }
                kill(stopped, SIGCONT)
            }
            #expect(ending.status == 0, "\(ending.output)\(ending.errors)\(pipeline.log)")
            #expect(ending.output.contains("completed once        5376"))
        }
    }

    @Test(
        "a coordinator with a standby reads the journals before it joins, and goes on with the sessions of one that ends"
    )
    func standby() async throws {
        try await RunningPipeline.with { pipeline in
            let first = try #require(pipeline.children("intent-coordinator").first)
            #expect(
                try await pipeline.intents(["send", "RequestRide", "--session", "s1", "-p", "ride=Comfort", "--wait"])
                    .status == 3)
            let second = try RoleProcess(
                "intent-coordinator",
                [
                    "--bootstrap-servers", pipeline.servers, "--standby", "4", "--open-handoffs", "--log-level", "info",
                    "-X",
                    "session.timeout.ms=6000",
                ])
            defer { second.end() }
            try await eventually("it takes partitions over") {
                second.output.range(of: #""partitions":\[[0-9]"#, options: .regularExpression) != nil
            }
            let log = second.errors
            let joins = try #require(log.range(of: "journals are read, joining the group"), "\(log)")
            #expect(log[joins.upperBound...].contains("took a partition over"))
            #expect(!log[..<joins.lowerBound].contains("took a partition over"))
            kill(first, SIGKILL)
            #expect(try await pipeline.intents(["reply", "--session", "s1", "Heuston"]).status == 0)
            try await untilPrompt(pipeline, session: "s1", kind: "confirmIntent")
        }
    }

    private func untilPrompt(_ pipeline: RunningPipeline, session: String, kind: String) async throws {
        try await untilResult(pipeline, session) { $0["kind"]?.string == kind }
    }

    private func untilCompleted(_ pipeline: RunningPipeline, session: String, status: String) async throws {
        try await untilResult(pipeline, session) { $0["status"]?.string == status }
    }

    private func untilResult(_ pipeline: RunningPipeline, _ session: String, _ isMeant: (JSONView) -> Bool) async throws
    {
        let deadline = ContinuousClock.now.advanced(by: .seconds(30))
        while ContinuousClock.now < deadline {
            let watch = try await pipeline.intents(
                ["watch", "--session", session, "--from-beginning", "--exit-at-end", "--output", "json"])
            if let last = watch.json.last, isMeant(last) { return }
        }
        throw TimedOut(description: "no such result of \(session)")
    }
}

/// A text to which another thread appends.
private final class LineBox: @unchecked Sendable {
    private let lock = NSLock()
    private var data = Data()
    func add(_ more: Data) { lock.withLock { data.append(more) } }
    var text: String { lock.withLock { String(decoding: data, as: UTF8.self) } }
}
