import Foundation
import Testing

@Suite("What containers run", .tags(.processes, .slow), .serialized) struct ContainerCommandTests {
    @Test func `a process is asked whether it is ready, and one that is frozen does not answer`() async throws {
        try await RunningPipeline.with("--no-workers") { pipeline in
            let address = try #require(pipeline.telemetry["coordinator"])
            try await Programs.run("intents health --telemetry \(address)", prints: #""status":"ok""#)
            try await Programs.run("intents health --telemetry \(address) --live", prints: #""status":"ok""#)
            let coordinators = pipeline.children("intent-coordinator")
            for pid in coordinators { kill(pid, SIGSTOP) }
            defer { for pid in coordinators { kill(pid, SIGCONT) } }
            try await Programs.run(
                "intents health --telemetry \(address)", exits: 1, warns: "no process answers at \(address)")
        }
    }

    @Test func `the address to ask must be given`() async throws {
        try await Programs.run("intents health", exits: 2, warns: "set INTENTS_TELEMETRY")
        try await Programs.run("intents health --telemetry localhost:0", exits: 2, warns: "is no address of a process")
        try await Programs.run("intents health --telemetry :9464 --live --started", exits: 2, warns: "excludes")
    }

    @Test func `the broker listens for other machines by the name that they know, and has all topics`() async throws {
        let broker = try RunningProgram(
            "intents broker --listen 0.0.0.0 --advertise localhost --partitions 3", stopsWithInput: true)
        defer { broker.end() }
        let servers = try await found("the broker listens", within: 60) { broker.value("bootstrapServers") }
        #expect(servers.hasPrefix("localhost:"))
        let applied = try await Programs.run("intents topics apply -b \(servers)")
        #expect(applied.output.split(separator: "\n").count == 16)
        try await Programs.run("intents topics apply -b \(servers) --partitions 4", exits: 4, warns: "not 4")
    }

    @Test(arguments: [
        ("--listen 0.0.0.0", 2, "needs --advertise HOST"), ("--listen ::1", 4, "it is no IPv4 address"),
        ("--advertise a:1", 2, "without a port"),
    ]) func `the broker refuses an address that clients could not use`(
        _ options: String, _ status: Int32, _ message: String
    ) async throws {
        try await Programs.run("intents broker \(options)", exits: status, warns: message)
    }
}
