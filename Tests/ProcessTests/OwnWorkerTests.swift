import Foundation
import Testing

/// Tests of `Greenhouse`, the worker at the end of the tutorial.
@Suite("An author's own worker program", .tags(.processes, .slow), .timeLimit(.minutes(3)))
struct OwnWorkerTests {
    private let words = ["chat", "WaterPlant", "-p", "plant=fern"]

    @Test("serves its intents in 'intents dev', with a process for each phase")
    func development() async throws {
        try await RunningPipeline.with(["--worker", Programs.url("Greenhouse").path]) { pipeline in
            #expect(pipeline.children("Greenhouse").count == 4)
            let talk = try await pipeline.intents(words, input: "Boston fern\ny\n")
            #expect(talk.status == 0, "\(talk.output)\(talk.errors)")
            #expect(talk.output.contains("The Boston fern says thank you."), "\(talk.output)")
            let stranger = try await pipeline.intents(["send", "RequestRide", "--wait"])
            #expect(stranger.output.contains("no worker serves 'RequestRide'"), "\(stranger.output)")
        }
    }

    @Test("prints help, and exits with 2 for wrong arguments")
    func usage() async throws {
        let help = try await Programs.run("Greenhouse", ["--help"])
        #expect(help.status == 0 && help.output.contains("USAGE: Greenhouse"), "\(help.output)")
        let phase = try await Programs.run("Greenhouse", ["--phase", "sleep"])
        #expect(phase.status == 2 && phase.errors.contains("handle-in-app"), "\(phase.errors)")
        let nowhere = try await Programs.run("intents", ["dev", "--worker", "/nowhere"])
        #expect(nowhere.status == 2 && nowhere.errors.contains("/nowhere"), "\(nowhere.errors)")
    }
}
