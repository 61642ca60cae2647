import ArgumentParser
import IntentModel
import PipelineService

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure the happy path through separate processes.",
        discussion: """
            Starts a pipeline as 'intents dev' does, and sends intents that need no answer (a confirmation is answered with yes): first in a \
            closed loop with a fixed number of open requests, then at a fixed rate. On noisy machines, compare figures of one run and medians of \
            several runs.

            'intents bench binding' measures the cost of binding a work record to a Swift intent, in this process.
            """, subcommands: [BenchBindingCommand.self, BenchHotPathCommand.self])

    @OptionGroup var kafka: KafkaOptions
    @OptionGroup var size: SizeOptions

    @Option(help: ArgumentHelp("Intents in the closed loop.", valueName: "count")) var intents = 20_000
    @Option(help: ArgumentHelp("Intents open at a time in the closed loop.", valueName: "count")) var window = 1_000
    @Option(help: ArgumentHelp("Intents per second at the fixed rate.", valueName: "count")) var rate = 500
    @Option(help: ArgumentHelp("How long to send at the fixed rate.", valueName: "seconds")) var seconds = 10
    @Option(help: ArgumentHelp("Number of sessions for the intents.", valueName: "count")) var sessions = 1_000
    @Option(help: "The intent to ask for.") var intent = "GetRideStatus"

    @Option(
        name: [.customShort("p"), .customLong("parameter")], help: ArgumentHelp("A parameter. May be repeated.", valueName: "name=value"))
    var parameters: [String] = []

    @Flag(help: "Print the figures as JSON.") var json = false

    func validate() throws {
        for (name, value) in [("intents", intents), ("window", window), ("rate", rate), ("seconds", seconds), ("sessions", sessions)]
        where value < 1 {
            throw ValidationError("--\(name) must be at least 1.")
        }
    }

    func run() async throws {
        let pipeline = try DevelopmentPipeline(kafka, size: size.size, logLevel: "warning")
        let parameters =
            parameters.isEmpty && intent == "GetRideStatus"
            ? [ParameterState(name: "rideIdentifier", value: .string("DUB-BFQB23-3"))]
            : parameters.compactMap { ParameterState(argument: $0) }
        let (kafka, intent, sessions, intents, window, rate, seconds) = (pipeline.kafka, intent, sessions, intents, window, rate, seconds)
        let (closed, paced) = try await pipeline.run { servers, processes in
            let client = try PersonClient(
                kafka.connecting(to: servers, properties: ["fetch.wait.max.ms=1"]), name: "bench")
            defer { client.close() }
            try await client.follow(fromBeginning: false)
            let load = Load(client: client, intent: intent, parameters: parameters, sessions: sessions, processes: processes)
            _ = try load.closedLoop(intents: min(intents, 2_000), window: window)
            return (try load.closedLoop(intents: intents, window: window), try load.paced(rate: rate, seconds: seconds))
        }
        show(closed, paced)
    }

    private func show(_ closed: Load.Figures, _ paced: Load.Figures) {
        if json { return print(JSON.object(["closed": closed.json, "paced": paced.json])) }
        print("closed loop, \(window) open at a time\n\(closed.text)\n\nat \(rate) per second\n\(paced.text)")
    }
}
