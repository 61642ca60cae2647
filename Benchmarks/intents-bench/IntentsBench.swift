import ArgumentParser
import Foundation
import IntentModel
import LocalPipeline
import PipelineService
import RDKafkaLog
import RecordLog

@main
struct IntentsBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "intents-bench", abstract: "Measure throughput, latency and cost through separate processes.",
        discussion: """
            Starts a pipeline as 'intents dev' does, and sends intents of the sample domains: first in a closed loop with a fixed number of open \
            requests, then at each fixed rate. The person of each request answers at once.

            The closed loop measures throughput and nothing else: it sends less while the pipeline is slow, so latencies measured in it would leave \
            out the worst ones. At a fixed rate, a latency begins when the request was due, not when it was sent; the first tenth is not counted.

            The conversations: happy-path asks nothing (GetRideStatus), prompt asks for a parameter (ListRideOptions), prompt-and-confirmation also \
            asks whether to do it (RequestRide), and list resolves three people one by one and asks which Anna is meant (SearchForMessages).

            On noisy machines, compare figures of one run and medians of several runs; deploy/bench.sh does that. \
            'intents-bench binding' measures the cost of binding a work record to a Swift intent, in this process.
            """, version: PipelineVersion.text, subcommands: [BenchBindingCommand.self, BenchHotPathCommand.self])

    static func main() async { await runAsProgram() }

    @OptionGroup var kafka: KafkaOptions
    @OptionGroup var size: SizeOptions

    @Option(
        help: "What happens in each request: \(BenchConversation.allCases.map(\.rawValue).joined(separator: ", ")).")
    var conversation = BenchConversation.happyPath
    @Option(help: ArgumentHelp("Intents in the closed loop; 0 leaves it out.", valueName: "count")) var intents = 20_000
    @Option(help: ArgumentHelp("Intents open at a time in the closed loop.", valueName: "count")) var window = 1_000
    @Option(
        help: ArgumentHelp(
            "Intents per second at the fixed rates, separated by commas; 0 leaves them out.", valueName: "counts"))
    var rate = Rates(values: [500])
    @Option(help: ArgumentHelp("How long to send at each fixed rate.", valueName: "seconds")) var seconds = 10
    @Option(help: ArgumentHelp("Number of sessions for the intents.", valueName: "count")) var sessions = 1_000
    @Flag(help: "First carry out an intent in each session, and print the coordinators' memory a session.") var fill =
        false
    @Option(help: ArgumentHelp("The length of an attribute that is added to each request.", valueName: "bytes"))
    var payloadBytes = 0
    @Option(help: ArgumentHelp("How long each handler waits before it handles an intent.", valueName: "milliseconds"))
    var handlerDelay = 0
    @Option(help: "The intent to ask for, instead of that of the conversation.") var intent: String?

    @Option(
        name: [.customShort("p"), .customLong("parameter")],
        help: ArgumentHelp(
            "A parameter, instead of those of the conversation. May be repeated.", valueName: "name=value"))
    var parameters: [String] = []

    @Flag(help: "Print the figures as JSON.") var json = false

    /// One or more rates.
    struct Rates: ExpressibleByArgument {
        var values: [Int]

        init(values: [Int]) { self.values = values }

        init?(argument: String) {
            values = argument.split(separator: ",", omittingEmptySubsequences: false).compactMap { Int($0) }
            guard argument.split(separator: ",", omittingEmptySubsequences: false).count == values.count else {
                return nil
            }
            if values == [0] { values = [] }
        }

        var defaultValueDescription: String { values.map(String.init).joined(separator: ",") }
    }

    func validate() throws {
        for (name, value) in [("window", window), ("seconds", seconds), ("sessions", sessions)] where value < 1 {
            throw ValidationError("--\(name) must be at least 1.")
        }
        for (name, value) in [("intents", intents), ("payload-bytes", payloadBytes), ("handler-delay", handlerDelay)]
        where value < 0 {
            throw ValidationError("--\(name) must be at least 0.")
        }
        if let rate = rate.values.first(where: { $0 < 1 }) {
            throw ValidationError("--rate \(rate): a rate must be at least 1.")
        }
        if intents == 0, rate.values.isEmpty {
            throw ValidationError("--intents 0 and --rate 0 leave nothing to measure.")
        }
    }

    private var content: Load.Content {
        let given = parameters.compactMap { ParameterState(argument: $0) }
        return Load.Content(
            conversation: conversation, intent: intent ?? conversation.intent,
            parameters: given.isEmpty && intent == nil ? conversation.parameters : given,
            attributes: payloadBytes == 0 ? [:] : ["payload": .string(String(repeating: "x", count: payloadBytes))])
    }

    func run() async throws {
        // The workers inherit this variable.
        if handlerDelay > 0 { setenv("INTENTS_SAMPLE_DELAY", String(handlerDelay), 1) }
        let pipeline = try DevelopmentPipeline(kafka, size: size.size, logLevel: "warning")
        let (kafka, content, sessions, intents) = (pipeline.kafka, content, sessions, intents)
        let (window, rates, seconds, partitions, fill) = (window, rate.values, seconds, size.partitions, fill)
        let (filled, closed, paced) = try await pipeline.run { servers, processes, _ in
            let options = kafka.connecting(to: servers, properties: [])
            let client = try PersonClient(options, name: "bench")
            defer { client.close() }
            try await client.follow(fromBeginning: false)
            let load = Load(client: client, content: content, sessions: sessions, processes: processes)
            let filled = fill ? try load.fill(window: window) : nil
            _ = try load.closedLoop(intents: min(max(intents, 500), 2_000), window: window)
            // The person's client decrypts records. This client reads them as they are, because their sizes in the log
            // are measured.
            let reader = try options.log().connect(ClientConfiguration(clientID: "bench-records"))
            defer { try? reader.close(timeout: .seconds(5)) }
            var closed: LoadFigures?
            if intents > 0 {
                let records = try RecordCount(client: reader, topics: kafka.topics, partitions: partitions)
                var figures = try load.closedLoop(intents: intents, window: window)
                figures.records = try records.figures(intents: intents)
                closed = figures
            }
            return (filled, closed, try rates.map { try load.paced(rate: $0, seconds: seconds) })
        }
        show(filled, closed, paced)
        try check((closed.map { [$0] } ?? []) + paced)
    }

    /// - Throws: ``ArgumentParser/ExitCode/failed`` if intents failed or the number of prompts is not the
    ///   conversation's. The figures would be of another conversation.
    private func check(_ loops: [LoadFigures]) throws {
        guard intent == nil, parameters.isEmpty else { return }
        for figures in loops where figures.failed > 0 || figures.prompts != figures.intents * conversation.prompts {
            complain(
                "\(figures.failed) of \(figures.intents) intents failed, and there were \(figures.prompts) prompts instead of "
                    + "\(figures.intents * conversation.prompts).")
            throw ExitCode.failed
        }
    }

    private func show(_ filled: FillFigures?, _ closed: LoadFigures?, _ paced: [LoadFigures]) {
        if json {
            return print(
                JSON.object([
                    "fill": filled?.json ?? .null, "closed": closed?.json ?? .null, "paced": .array(paced.map(\.json)),
                ]))
        }
        var parts = filled.map { [$0.text] } ?? []
        parts += closed.map { ["closed loop, \(window) open at a time: throughput\n\($0.text)"] } ?? []
        parts += paced.map { "at \($0.rate ?? 0) per second\n\($0.text)" }
        print(parts.joined(separator: "\n\n"))
    }
}
