import Foundation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("A pipeline of real processes", .tags(.processes, .slow), .serialized) struct PipelineProcessTests {
    /// Runs `intents play`, which exits with 0 only if every request got exactly one completion and no sequence has a
    /// gap. Calls `during` once there are results, while requests are in flight. At most 50 requests are open, so most
    /// are sent after the loss of a process.
    func play(_ pipeline: RunningPipeline, copies: Int, _ during: () async throws -> Void = {}) async throws -> String {
        let lines = try String(contentsOfFile: Programs.rideRequests, encoding: .utf8).split(separator: "\n")
        let requests = (0..<copies).flatMap { copy in
            lines.map { $0.replacing("\"session\":\"", with: "\"session\":\"\(copy)-", maxReplacements: 1) + "\n" }
        }.joined()
        async let played = pipeline.intents("play - --quiet --timeout 60", input: requests, exits: nil)
        let log = try RawLog(pipeline.servers)
        defer { log.close() }
        try await eventually("there are results") { try await !log.records("intents.results").isEmpty }
        try await during()
        let ending = try await played
        #expect(ending.status == 0, "\(ending.all)\(pipeline.log)")
        return ending.output
    }

    @Test func `completes each ride request exactly once, and ends with its parent process`() async throws {
        try await RunningPipeline.with("--resolvers 2 --confirmers 2 --handlers 2") { pipeline in
            #expect(try await play(pipeline, copies: 1).contains("completed once        448"))
            let children = pipeline.children()
            #expect(children.count == 9)
            pipeline.signal(SIGKILL)
            try await eventually("the children end when their parent was killed", within: 30) {
                children.allSatisfy { kill($0, 0) != 0 }
            }
        }
    }

    @Test func `ends at a hang-up, also during its start, and leaves no file behind`() async throws {
        let folder = Scratch()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        // The tests themselves may run under nohup.
        let earlier = signal(SIGHUP, SIG_DFL)
        defer { signal(SIGHUP, earlier) }
        let pipeline = try RunningProgram(
            "intents dev --no-console --port 0 -X client.id=me", environment: ["TMPDIR": folder.path])
        defer { pipeline.end() }
        func files() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
        }
        try await eventually("the processes start", within: 60) { try files().contains { $0.hasSuffix(".handoffs") } }
        let children = RunningPipeline.children(of: pipeline.pid)
        kill(pipeline.pid, SIGHUP)
        try await eventually("the pipeline has ended", within: 60) { !pipeline.isRunning }
        #expect(pipeline.status == 0 && pipeline.errors.isEmpty, "\(pipeline.errors)")
        #expect(try !children.isEmpty && children.allSatisfy { kill($0, 0) != 0 } && files().isEmpty)
    }

    @Test func `goes on after a hang-up if it was started with nohup`() async throws {
        try await RunningPipeline.with("--no-workers", program: "nohup \(Programs.path("intents"))") { pipeline in
            let children = pipeline.children()
            pipeline.signal(SIGHUP)
            try await pipeline.intents("catalog list")
            #expect(pipeline.children() == children && !children.isEmpty, "\(pipeline.log)")
        }
    }

    @Test func `is interrupted while it waits for a Kafka that is not there`() async throws {
        let pipeline = try RunningProgram("intents dev --no-console -b 127.0.0.1:1")
        defer { pipeline.end() }
        try await eventually("it waits", within: 60) { pipeline.errors.contains("has not answered yet") }
        kill(pipeline.pid, SIGINT)
        try await eventually("it has ended", within: 60) { !pipeline.isRunning }
        #expect(pipeline.status == 0 && !pipeline.errors.contains("is it running?"), "\(pipeline.errors)")
    }

    @Test func `is found at its usual port by commands that name no Kafka`() async throws {
        try await RunningPipeline.with("--port 8232 --topic-prefix found") { pipeline in
            // Another program may listen on the port, such as another pipeline of this machine's user.
            guard pipeline.servers == "127.0.0.1:8232" else { try Test.cancel("port 8232 is taken") }
            let command = "env -u KAFKA_BOOTSTRAP_SERVERS \(Programs.path("intents")) catalog list --topic-prefix found"
            try await Programs.run(command, prints: "RequestRide")
        }
    }

    @Test func `can be used with the tool to request, answer, show and cancel`() async throws {
        try await RunningPipeline.with { pipeline in
            let asked = try await pipeline.intents("send RequestRide --session s1 -p ride=Comfort --wait", exits: 3)
            #expect(asked.json.last?["parameter"]?.string == "dropOff")
            let help = try await pipeline.intents("reply --session s1 what can I say?", exits: 3)
            #expect(help.output.contains("Say it in your own words."))
            try await pipeline.intents("reply --session s1 --option nope", exits: 4)
            try await pipeline.intents("reply --session s1 Heuston Station")
            try await pipeline.intents("reply --session nobody --yes", exits: 4)
            try await pipeline.untilLast("kind", "confirmIntent", of: "s1")
            try await pipeline.intents("reply --session s1 perhaps", exits: 3)
            try await pipeline.intents("reply --session s1 --yes")
            try await pipeline.untilLast("status", "success", of: "s1")

            let words = "station\nthe first one\nComfort\nperhaps\nyes\n"
            let chat = try await pipeline.intents("chat RequestRide --session s2", input: words)
            #expect(chat.output.contains("Say yes or no."))
            #expect(chat.output.contains("1. Heuston Station"))
            try await pipeline.intents("chat RequestRide -p dropOff=Heuston -p ride=Comfort", input: "n\n", exits: 4)
            try await pipeline.intents("chat RequestRide", exits: 4)
            try await pipeline.intents("send GetRideStatus -p rideIdentifier=DUB-BFQB23-3 --wait")
            let unknown = try await pipeline.intents("send Dance --wait", exits: 4)
            #expect(unknown.json.last?["code"]?.string == "noHandlerProvidedForIntent")

            try await pipeline.intents("send RequestRide --session s3", exits: nil)
            try await pipeline.untilLast("kind", "value", of: "s3")
            try await pipeline.intents("cancel --session s3")
            try await pipeline.untilLast("status", "cancelled", of: "s3")
            try await pipeline.intents("cancel --session s3", exits: 4)
        }
    }

    @Test(.enabled(if: Programs.succeeds(["kcat", "-V"]), "kcat is not installed"))
    func `can be used with kcat alone: a ride is requested, a prompt answered and the completion read`() async throws {
        try await RunningPipeline.with { pipeline in
            /// Sends a value, and waits for the result with this number.
            func result(_ count: Int, after json: String) async throws -> JSONView {
                let kcat = "kcat -b \(pipeline.servers) -t intents."
                let partitioner = "topic.partitioner=murmur2_random"
                try await Programs.run("\(kcat)requests -P -K : -X \(partitioner)", input: "me:\(json)\n")
                return try await found("result \(count)") {
                    let results = try await Programs.run("\(kcat)results -C -o beginning -e -q", exits: nil)
                    return results.json.dropFirst(count - 1).first
                }
            }
            let choice = try await result(
                1, after: #"{"intent":"RequestRide","parameters":{"dropOff":"Airport","ride":"Comfort"}}"#)
            #expect(choice["kind"]?.string == "choice")
            let prompt = try #require(choice["prompt"]?.string)
            let option = try #require(choice["options"]?.elements.first?["id"]?.string)
            let answer = #"{"type":"prompt.answered.v1","action":"accept","prompt":"#
            let confirmation = try await result(2, after: #"\#(answer)"\#(prompt)","option":"\#(option)"}"#)
            #expect(confirmation["kind"]?.string == "confirmIntent")
            let second = try #require(confirmation["prompt"]?.string)
            let completion = try await result(3, after: #"\#(answer)"\#(second)"}"#)
            #expect(completion["status"]?.string == "success" && completion["sequence"]?.int == 3)
        }
    }

    @Test func `loses and repeats nothing while processes of every role are killed and others join`() async throws {
        try await RunningPipeline.with("--resolvers 2 --handlers 2") { pipeline in
            let output = try await play(pipeline, copies: 3) {
                for (number, phase) in ["handle", nil, "resolve", "confirm"].enumerated() {
                    let program = phase == nil ? "intent-coordinator" : "sample-worker"
                    kill(try #require(pipeline.children(program, phase).first), SIGKILL)
                    try await eventually("\(program) is started again", within: 30) {
                        pipeline.log.components(separatedBy: "ended (status").count > number + 1
                    }
                }
                let handler = try RunningProgram(
                    "sample-worker --phase handle -b \(pipeline.servers) -X session.timeout.ms=6000")
                defer { handler.end() }
                try await eventually("a handler that joins takes partitions") {
                    handler.output.contains(#/partitions":\[[0-9]/#)
                }
                handler.terminate()
                try await eventually("SIGTERM ends it") { !handler.isRunning }
                #expect(handler.status == 0)
            }
            #expect(output.contains("completed once        1344") && output.contains("identical copies      0"))
        }
    }

    @Test func `a stopped coordinator makes no decisions after another one has taken over`() async throws {
        try await RunningPipeline.with("--coordinators 2") { pipeline in
            let output = try await play(pipeline, copies: 2) {
                let stopped = try #require(pipeline.children("intent-coordinator").first)
                let before = pipeline.log.count
                kill(stopped, SIGSTOP)
                try await eventually("the other coordinator has all partitions", within: 60) {
                    pipeline.log.dropFirst(before).contains(#/coordinator-\d has partitions 0 1 2 3/#)
                }
                kill(stopped, SIGCONT)
            }
            #expect(output.contains("completed once        896"))
        }
    }

    @Test func `a coordinator with standbys reads the journals before it joins, and resumes sessions`() async throws {
        try await RunningPipeline.with { pipeline in
            let first = try #require(pipeline.children("intent-coordinator").first)
            try await pipeline.intents("send RequestRide --session s1 -p ride=Comfort --wait", exits: 3)
            let more =
                "--standby 4 --handoff-secret-file \(pipeline.handoffSecretFile) --log-level info -X session.timeout.ms=6000"
            let second = try RunningProgram(
                "intent-coordinator -b \(pipeline.servers) \(more)", stopsWithInput: true)
            defer { second.end() }
            try await eventually("it takes partitions over") { second.output.contains(#/"partitions":\[[0-9]/#) }
            let log = second.errors
            let joins = try #require(log.range(of: "journals are read, joining the group"), "\(log)")
            #expect(log[joins.upperBound...].contains("took a partition over"))
            #expect(!log[..<joins.lowerBound].contains("took a partition over"))
            kill(first, SIGKILL)
            try await pipeline.intents("reply --session s1 Heuston")
            try await pipeline.untilLast("kind", "confirmIntent", of: "s1")
        }
    }
}

@Suite("The memory of a person, in processes", .tags(.processes, .slow), .serialized, .timeLimit(.minutes(10)))
struct PersonMemoryProcessTests {
    private static let ann = "--principal app_user:ann"

    @Test(arguments: [false, true])
    func `a remembered value is a default until it is forgotten, even after a crash`(isEncrypted: Bool) async throws {
        let keys = isEncrypted ? ["--encryption-key-file", try Scratch.encryptionKeys()] : []
        try await RunningPipeline.with("--partitions 2", keys) { pipeline in
            /// Asks for a ride in a new session, and answers the confirmation. Returns the output.
            func ride(_ options: String = Self.ann, answer: String = "y") async throws -> String {
                let chat = "chat RequestRide -p ride=Comfort \(options)"
                let more = ["-p", "dropOff=airport terminal 2"] + keys
                return try await pipeline.intents(chat, more, input: "\(answer)\n", exits: nil).all
            }
            func untilRemembered(_ expected: [String]) async throws {
                try await eventually("'\(expected)' is remembered", within: 30) {
                    let list = try await pipeline.intents("memory list --output json \(Self.ann)", keys, exits: nil)
                    return list.json.map { "\($0["key"]?.string ?? "") \($0["value"]?.string ?? "")" }
                        .filter { $0.hasPrefix("payment ") } == expected
                }
            }
            #expect(try await ride().contains("Payment: Card\n"), "a default is told without a reason")
            #expect(try await ride("\(Self.ann) -p payment=cash").contains("Payment: Cash\n"))
            try await untilRemembered(["payment cash"])
            let first = try #require(pipeline.children("intent-coordinator").first)
            kill(first, SIGKILL)
            try await eventually("another coordinator runs") {
                pipeline.children("intent-coordinator").contains { $0 != first }
            }
            #expect(try await ride().contains("Payment: Cash (as last time)\n"))
            #expect(try await ride("\(Self.ann) --locale nl", answer: "n").contains("(zoals de vorige keer)"))
            #expect(try await ride("--principal app_user:bob", answer: "n").contains("Payment: Card\n"))

            let log = try RawLog(pipeline.servers)
            defer { log.close() }
            let values = try await log.records(Topics().memory, partitions: 2).map {
                String(decoding: $0.value ?? [], as: UTF8.self)
            }
            #expect(values.contains { $0.contains("cash") } != isEncrypted)

            let status = try await pipeline.intents("send GetRideStatus --wait \(Self.ann)", keys, exits: nil)
            let number = status.json.last?["parameters"]?["rideIdentifier"]?.string
            #expect(number?.hasPrefix("DUB-") == true, "\(status.output)")
            #expect(try await pipeline.intents("memory forget payment \(Self.ann)", keys).output == "payment\n")
            try await untilRemembered([])
            #expect(try await ride(answer: "n").contains("Payment: Card\n"))
        }
    }
}
