import DevBroker
import Foundation
import Testing

@Suite("A chat in the terminal", .tags(.processes, .slow), .serialized, .timeLimit(.minutes(10)))
struct ChatProcessTests {
    /// Starts a chat of a person who types nothing.
    private func startSilentChat(_ options: String, _ pipeline: ProgramPipeline) throws -> RunningProgram {
        try RunningProgram(
            "intents chat RequestRide -p dropOff=Airport \(options)", ["-b", pipeline.broker.bootstrapServers],
            waitsForInput: true)
    }

    private func intents(
        _ command: String, _ pipeline: ProgramPipeline, input: String = "", exits: Int32 = 0, prints: String = ""
    ) async throws {
        try await Programs.run(
            "intents \(command)", ["-b", pipeline.broker.bootstrapServers], input: input, exits: exits, prints: prints)
    }

    @Test func `a prompt whose time is over is told while the cursor waits for the person`() async throws {
        let pipeline = try await ProgramPipeline("--answer-timeout 15")
        defer { pipeline.end() }
        let chat = try startSilentChat("--session s --timeout 10", pipeline)
        defer { chat.end() }
        try await eventually("the chat says that the time is over") {
            chat.output.contains("There was no answer in time.")
        }
        #expect(!chat.errors.contains("said nothing"), "the person's time is not the pipeline's")
    }

    @Test func `an interrupted chat says how to go on, and another one asks the open prompt again`() async throws {
        let pipeline = try await ProgramPipeline()
        defer { pipeline.end() }
        let chat = try startSilentChat("--session s", pipeline)
        defer { chat.end() }
        try await eventually("the chat asks") { chat.output.contains("1-2, or something else: ") }
        kill(chat.pid, SIGINT)
        try await eventually("it ends, and says how to go on") {
            !chat.isRunning && chat.errors.contains("'intents chat --session s' goes on")
        }
        #expect(chat.status == 130)
        try await intents(
            "chat --session s", pipeline, input: "?\n/Terminal 2\n1\nComfort\ny\n", prints: "RequestRide success")
        try await intents("chat --session s", pipeline, exits: 4)
        try await intents("chat", pipeline, exits: 2)
    }
}
